-- The facts and rules of Rocktäschel et al. 2014, table 1.
CREATE KB university;
INSERT INTO university.triples (subject, relation, object) VALUES
  ('JONES', 'profAt', 'UWASH'), ('JONES', 'worksFor', 'UWASH'), ('JONES', 'employeeAt', 'UWASH'),
  ('TAYLOR', 'profAt', 'UCL'), ('TAYLOR', 'worksFor', 'UCL'), ('TAYLOR', 'employeeAt', 'UCL'),
  ('SMITH', 'profAt', 'CAMBRIDGE'),
  ('WILLIAMS', 'worksFor', 'OXFORD'), ('WILLIAMS', 'livesIn', 'OXFORD'),
  ('BROWN', 'worksFor', 'CAMBRIDGE'), ('BROWN', 'livesIn', 'CAMBRIDGE'),
  ('DAVIES', 'registeredIn', 'LONDON'), ('DAVIES', 'bornIn', 'LONDON'),
  ('EVANS', 'registeredIn', 'PARIS'), ('EVANS', 'bornIn', 'PARIS');
INSERT INTO university.rules (rule) VALUES
  ('forall x: profAt(x) => worksFor(x)'), ('forall x: registeredIn(x) => livesIn(x)');

-- Cells that are held out: what the rules imply, and the reverse implications.
CREATE LEXICON heldout (subject TEXT, relation TEXT, object TEXT, truth BOOLEAN);
INSERT INTO heldout VALUES
  ('SMITH', 'worksFor', 'CAMBRIDGE', true), ('DAVIES', 'livesIn', 'LONDON', true), ('EVANS', 'livesIn', 'PARIS', true),
  ('WILLIAMS', 'profAt', 'OXFORD', false), ('BROWN', 'profAt', 'CAMBRIDGE', false), ('BROWN', 'registeredIn', 'CAMBRIDGE', false);
