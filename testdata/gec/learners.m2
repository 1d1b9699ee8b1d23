S The schools do not depend on the teacher .

S Friends lived in a books .
A 4 5|||Nn|||book|||REQUIRED|||-NONE-|||0

S Teachers depend on a school on Monday .

S However , teachers talked about city with technology .
A 2 2|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 5 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0

S Books looked at a teacher with technology .

S The schools do not listen a school .
A 5 5|||Prep|||to|||REQUIRED|||-NONE-|||0

S The apples live in a book with technology .

S The apple depended on books on Friday .

S However , the problem looks at the city .

S However , the schools talked about the school .

S The city lives in the schools on Monday .

S However , the teachers listen to an apple .

S However , an apple lived in an idea with technology .

S However the teachers depended on the books .
A 1 1|||Mec|||,|||REQUIRED|||-NONE-|||0

S The student do not depend on the ideas on Friday .
A 1 2|||Nn|||students|||REQUIRED|||-NONE-|||0

S Schools do not listen to friends with technology .

S However , the apples live in the apples on friday .
A 9 10|||Mec|||Friday|||REQUIRED|||-NONE-|||0

S A teacher look at the teachers on Monday .
A 2 3|||SVA|||looks|||REQUIRED|||-NONE-|||0

S However the book lived in a friend .
A 1 1|||Mec|||,|||REQUIRED|||-NONE-|||0

S Books live in the books .
A 4 5|||Nn|||book|||REQUIRED|||-NONE-|||0

S The city talked about the school .

S The friend talks about students with technology .
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S The book depends on the problem .

S Ideas talk in the student on Monday .
A 2 3|||Prep|||about|||REQUIRED|||-NONE-|||0

S However , the teachers talked about the teacher .

S An idea listens to problems with technology .

S However , the cities do n't listen of a school .
A 5 6|||Wtone|||not|||REQUIRED|||-NONE-|||0
A 7 8|||Prep|||to|||REQUIRED|||-NONE-|||0

S However , the apple depends on teacher with technology .
A 6 6|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 6 7|||Nn|||teachers|||REQUIRED|||-NONE-|||0

S However , ideas looked ideas on friday .
A 4 4|||Prep|||at|||REQUIRED|||-NONE-|||0
A 6 7|||Mec|||Friday|||REQUIRED|||-NONE-|||0

S However , a teacher looks the students .
A 5 5|||Prep|||at|||REQUIRED|||-NONE-|||0

S However , the teacher talked about an idea with technology .
A 3 4|||Nn|||teachers|||REQUIRED|||-NONE-|||0

S However , problems depended on an apple on Monday .

S Schools depend on students on Friday .
A 3 3|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S The ideas do not talk about students .

S The cities do n't talk about books .
A 3 4|||Wtone|||not|||REQUIRED|||-NONE-|||0

S Books do n't look at apple on Monday .
A 2 3|||Wtone|||not|||REQUIRED|||-NONE-|||0
A 5 6|||Nn|||apples|||REQUIRED|||-NONE-|||0

S A city looks at the idea on Monday .

S However , schools depend on a students .
A 5 6|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 6 7|||Nn|||student|||REQUIRED|||-NONE-|||0

S Teachers do not talk about a teachers with technology .
A 5 6|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S The cities do not listen to the idea .
A 7 8|||Nn|||ideas|||REQUIRED|||-NONE-|||0

S However , apples do not look in apples .
A 6 7|||Prep|||at|||REQUIRED|||-NONE-|||0

S Students looked at idea .
A 3 3|||ArtOrDet|||an|||REQUIRED|||-NONE-|||0

S Schools do not depend on the book with technology .

S A problem talks about the apple .

S Problems look at a problem .

S A book talk about the books on Monday .
A 2 3|||SVA|||talks|||REQUIRED|||-NONE-|||0

S A student listens to a schools .
A 4 5|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 5 6|||Nn|||school|||REQUIRED|||-NONE-|||0

S Problems live in a problem on Monday .

S A student looks at the problems on Monday .

S However , the idea do not talk in a book .
A 3 4|||Nn|||ideas|||REQUIRED|||-NONE-|||0
A 7 8|||Prep|||about|||REQUIRED|||-NONE-|||0

S The schools talk about the apple on Friday .
A 1 2|||Nn|||school|||REQUIRED|||-NONE-|||0
A 2 3|||SVA|||talks|||REQUIRED|||-NONE-|||0

S An idea lives in the ideas on Monday .

S The apple live in the school with technology .
A 1 2|||Nn|||apples|||REQUIRED|||-NONE-|||0
A 3 4|||Prep|||in|||REQUIRED|||-NONE-|||0

S The apples listened to the student with technology .
A 5 6|||Nn|||students|||REQUIRED|||-NONE-|||0

S Problems talked about problems on Monday .
A 3 3|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S An apple depends on friends on Friday .

S The ideas live in a cities .
A 5 6|||Nn|||city|||REQUIRED|||-NONE-|||0

S The ideas do n't depend on the ideas .
A 3 4|||Wtone|||not|||REQUIRED|||-NONE-|||0

S However , a city talks about the teacher with technology .
A 7 8|||Nn|||teachers|||REQUIRED|||-NONE-|||0

S The apples listen to the books .
A 4 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 5 6|||Nn|||book|||REQUIRED|||-NONE-|||0

S However , teachers lives the city with technology .
A 3 4|||SVA|||live|||REQUIRED|||-NONE-|||0
A 4 4|||Prep|||in|||REQUIRED|||-NONE-|||0

S The teachers do not look at teachers with technology .

S The apple depends on teachers on Friday .

S However , a friend depends on a book on Friday .

S However , the city looks at problem on Friday .
A 6 7|||Nn|||problems|||REQUIRED|||-NONE-|||0

S The teachers lived in the friend with technology .

S The schools listen to the friend .
A 5 6|||Nn|||friends|||REQUIRED|||-NONE-|||0

S The students talking about friends with technology .
A 2 3|||Vform|||talked|||REQUIRED|||-NONE-|||0

S A teacher depends on books .

S A student looked at the book with technology .

S However , a student live in a problem with technology .
A 4 5|||SVA|||lives|||REQUIRED|||-NONE-|||0

S However , apples do not depend on student .
A 7 7|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0

S However , the problem live in the schools .
A 4 5|||SVA|||lives|||REQUIRED|||-NONE-|||0
A 7 8|||Nn|||school|||REQUIRED|||-NONE-|||0

S However , the city do not depend on the ideas on Monday .
A 3 4|||Nn|||cities|||REQUIRED|||-NONE-|||0

S The ideas lives in ideas with technology .
A 1 2|||Nn|||idea|||REQUIRED|||-NONE-|||0

S However , a book lives in a school .

S However , a school lived the friend on Monday .
A 5 5|||Prep|||in|||REQUIRED|||-NONE-|||0

S The problems looked at the schools with technology .

S The teachers listened to an apple .

S An idea talked about the student with technology .
A 5 6|||Nn|||students|||REQUIRED|||-NONE-|||0

S The schools listened to student on Monday .
A 4 5|||Nn|||students|||REQUIRED|||-NONE-|||0

S However , the teachers talked about schools on Monday .

S The idea listens to a students on Monday .
A 4 5|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 5 6|||Nn|||student|||REQUIRED|||-NONE-|||0

S A book lives in the idea .

S An idea depends on the book .
A 4 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0

S However , a teachers talks about apples .
A 3 4|||Nn|||teacher|||REQUIRED|||-NONE-|||0

S Students listen to a school with technology .

S However , a city looked at a idea .
A 6 7|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S However , schools talked about the problem on Friday .

S However , problems talk about students on Monday .

S The ideas depends on a city on Friday .
A 1 2|||Nn|||idea|||REQUIRED|||-NONE-|||0

S However , the school look at cities with technological .
A 4 5|||SVA|||looks|||REQUIRED|||-NONE-|||0
A 8 9|||Wform|||technology|||REQUIRED|||-NONE-|||0

S However , the friend looks at the ideas .

S The friend listened in a friend .
A 3 4|||Prep|||to|||REQUIRED|||-NONE-|||0

S A teacher look at a teacher on Friday .
A 2 3|||SVA|||looks|||REQUIRED|||-NONE-|||0

S A problem talks about the students .

S However , a problem talks about a city .

S A city looked at cities .

S However , schools do not depend on the friend with technology .
A 8 9|||Nn|||friends|||REQUIRED|||-NONE-|||0

S However , schools listen in the student .
A 4 5|||Prep|||to|||REQUIRED|||-NONE-|||0

S However , a book talks about a students .
A 7 8|||Nn|||student|||REQUIRED|||-NONE-|||0

S The problems looks at friend on Monday .
A 1 2|||Nn|||problem|||REQUIRED|||-NONE-|||0
A 4 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S The school looking at the idea on Friday .
A 1 2|||Nn|||schools|||REQUIRED|||-NONE-|||0
A 2 3|||Vform|||looked|||REQUIRED|||-NONE-|||0

S The apples listens to the ideas .
A 2 3|||SVA|||listen|||REQUIRED|||-NONE-|||0

S However , a friend looks at the student .

S However , cities do not listen to the schools .
A 2 2|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S The teacher depends on schools with technology .

S Schools do n't talk in books .
A 2 3|||Wtone|||not|||REQUIRED|||-NONE-|||0
A 4 5|||Prep|||about|||REQUIRED|||-NONE-|||0

S The school talking in the problem with technology .
A 2 3|||Vform|||talked|||REQUIRED|||-NONE-|||0
A 3 4|||Prep|||about|||REQUIRED|||-NONE-|||0

S The problem lives in schools .

S However , idea depend of the apple on Monday .
A 2 3|||Nn|||ideas|||REQUIRED|||-NONE-|||0
A 4 5|||Prep|||on|||REQUIRED|||-NONE-|||0

S However , the students do not depend on students .

S However , schools depend on a city with technology .

S The ideas listen to an idea with technology .

S A teacher looks student .
A 3 3|||Prep|||at|||REQUIRED|||-NONE-|||0
A 3 3|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0

S Students lived in the teacher on monday .
A 3 4|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 6 7|||Mec|||Monday|||REQUIRED|||-NONE-|||0

S However , the ideas listened to the teachers on Friday .

S A teacher looks at a teacher .

S Cities talked about a student with technology .
A 3 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S However , a friends look at a problem on Friday .
A 3 4|||Nn|||friend|||REQUIRED|||-NONE-|||0
A 4 5|||SVA|||looks|||REQUIRED|||-NONE-|||0

S The teachers do not look at schools on Monday .

S The teachers depend on the teacher on Monday .

S However , teachers do not look at the apple with technology .

S An apple depended on the cities .

S However a student talks about cities on Monday .
A 1 1|||Mec|||,|||REQUIRED|||-NONE-|||0

S However , an ideas listens to the friends .
A 3 4|||Nn|||idea|||REQUIRED|||-NONE-|||0

S The city talks about a city on Monday .

S The friend talk about the problem .
A 2 3|||SVA|||talks|||REQUIRED|||-NONE-|||0

S However , the friends depend on students on Friday .

S The student looks at the city .

S However , a student listening to books with technology .
A 4 5|||Vform|||listened|||REQUIRED|||-NONE-|||0

S An apple listened to students on Friday .

S However , the teachers do not depend on books with technology .

S A books talked in the friends .
A 1 2|||Nn|||book|||REQUIRED|||-NONE-|||0
A 3 4|||Prep|||about|||REQUIRED|||-NONE-|||0

S The problems talks about the students .
A 2 3|||SVA|||talk|||REQUIRED|||-NONE-|||0

S The idea talks the schools .
A 3 3|||Prep|||about|||REQUIRED|||-NONE-|||0

S The problems do not look the school with technology .
A 5 5|||Prep|||at|||REQUIRED|||-NONE-|||0

S A city talks about the friend .
A 5 6|||Nn|||friends|||REQUIRED|||-NONE-|||0

S An apple talks about cities on Monday .

S A school depend a books .
A 2 3|||SVA|||depends|||REQUIRED|||-NONE-|||0
A 3 3|||Prep|||on|||REQUIRED|||-NONE-|||0
A 4 5|||Nn|||book|||REQUIRED|||-NONE-|||0

S A friend looks at the problems with technology .

S Cities liveing in students .
A 1 2|||Vform|||lived|||REQUIRED|||-NONE-|||0

S However an idea listens to the apple on Monday .
A 1 1|||Mec|||,|||REQUIRED|||-NONE-|||0

S The ideas live in a teacher .

S However , an idea listens to friend .
A 6 6|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0

S A friend listens schools .
A 3 3|||Prep|||to|||REQUIRED|||-NONE-|||0

S The books listened to a teacher .
A 1 2|||Nn|||book|||REQUIRED|||-NONE-|||0

S Ideas looked at a friend .

S A teacher listen to schools .
A 2 3|||SVA|||listens|||REQUIRED|||-NONE-|||0

S The cities depend in a teacher on Friday .
A 3 4|||Prep|||on|||REQUIRED|||-NONE-|||0

S Teachers listen to the teacher .

S However , problems talk about the ideas .

S Books depend on the friends .

S However , a teachers lives in a city .
A 3 4|||Nn|||teacher|||REQUIRED|||-NONE-|||0
A 5 6|||Prep|||in|||REQUIRED|||-NONE-|||0

S However , the ideas do not look of the friends on Friday .
A 7 8|||Prep|||at|||REQUIRED|||-NONE-|||0

S However , the schools do not look at the book .

S The apples looked at a problems on Monday .
A 5 6|||Nn|||problem|||REQUIRED|||-NONE-|||0

S However , the student lived in a ideas on Monday .
A 6 7|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S The student depends on the friends .

S The cities depend on the problems on Friday .

S However , the book looks at a teacher on Friday .

S A teacher listens to the book on Friday .

S However , books look at friends on Friday .

S However , friends talked about a teacher .

S However , a friend lived in the city with technology .

S However , the ideas lived in friends .

S A friend talked about the ideas .

S A friend talks in the apples .
A 3 4|||Prep|||about|||REQUIRED|||-NONE-|||0

S The ideas depended on problems with technology .

S Friends do not listen of ideas with technology .
A 4 5|||Prep|||to|||REQUIRED|||-NONE-|||0

S The teacher talks about the city on monday .
A 7 8|||Mec|||Monday|||REQUIRED|||-NONE-|||0

S The cities look at problems .

S However , problems talk about the apples on Monday .

S The books look books with technology .
A 3 3|||Prep|||at|||REQUIRED|||-NONE-|||0

S The friend looks at an apple on Friday .

S The books do not depend on the teachers .

S A friend depends on students .

S However , apples talk about the apple with technology .

S The school do not listen to the problems .
A 1 2|||Nn|||schools|||REQUIRED|||-NONE-|||0

S However , a school looked at the schools with technological .
A 9 10|||Wform|||technology|||REQUIRED|||-NONE-|||0

S Cities looked of cities .
A 2 3|||Prep|||at|||REQUIRED|||-NONE-|||0

S The friends live in a friend with technology .

S However students looked at friends .
A 1 1|||Mec|||,|||REQUIRED|||-NONE-|||0

S However , a friend depends on students .

S Teachers talked about the teacher with technological .
A 6 7|||Wform|||technology|||REQUIRED|||-NONE-|||0

S However , schools depend on the friends with technological .
A 2 2|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 8 9|||Wform|||technology|||REQUIRED|||-NONE-|||0

S The problems look at the cities .

S However , the city depend on a problem .
A 4 5|||SVA|||depends|||REQUIRED|||-NONE-|||0

S The students do not look at the teacher with technology .

S Students talk about a book on Monday .

S However , a teacher talked about the schools .

S Problems looked at the problem .

S However , a friends talks about the friend .
A 3 4|||Nn|||friend|||REQUIRED|||-NONE-|||0

S An apple listens to apples with technology .

S A book listens to apple .
A 4 5|||Nn|||apples|||REQUIRED|||-NONE-|||0

S Apples lived in the ideas on Friday .
A 4 5|||Nn|||idea|||REQUIRED|||-NONE-|||0

S However , a student depended on problems on Monday .

S A book talks about friends .

S However , the schools talks about the problem with technology .
A 3 4|||Nn|||school|||REQUIRED|||-NONE-|||0

S However , the friends depend on the students .

S The city do not live in the city on Friday .
A 1 2|||Nn|||cities|||REQUIRED|||-NONE-|||0

S However , the school look at a city .
A 4 5|||SVA|||looks|||REQUIRED|||-NONE-|||0

S The apple lived in schools .

S The student talked about the city with technology .

S However , a problems looks at schools .
A 3 4|||Nn|||problem|||REQUIRED|||-NONE-|||0

S A student listens to a teacher .

S A problem talks about the problem .

S The book depends on a teacher on Friday .

S However , the problems talk about the friend with technological .
A 9 10|||Wform|||technology|||REQUIRED|||-NONE-|||0

S However , schools listen to problems .

S A student looks at the apple .

S The schools live in friends .

S The city talk about a friend with technology .
A 2 3|||SVA|||talks|||REQUIRED|||-NONE-|||0

S However , the teacher depended on apples with technology .

S However , the city looked at the book .

S However , a friends talk about the problem on Monday .
A 2 3|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S However , a student talks about the friends with technology .

S A city looks at apples with technology .

S The students listen to problems with technological .
A 6 7|||Wform|||technology|||REQUIRED|||-NONE-|||0

S An idea lives in a book with technology .
A 3 4|||Prep|||in|||REQUIRED|||-NONE-|||0

S The apples lived the students .
A 3 3|||Prep|||in|||REQUIRED|||-NONE-|||0
A 4 5|||Nn|||student|||REQUIRED|||-NONE-|||0

S A problem lived in a city .

S The teacher listens in teachers .
A 3 4|||Prep|||to|||REQUIRED|||-NONE-|||0

S The city depends on friends .

S The friends looks at a book .
A 2 3|||SVA|||look|||REQUIRED|||-NONE-|||0

S However , the school listened to the friend .

S However , school talk about a problem .
A 2 2|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 3 4|||SVA|||talks|||REQUIRED|||-NONE-|||0

S Teachers looked of the idea on Friday .
A 2 3|||Prep|||at|||REQUIRED|||-NONE-|||0

S However , idea do not talk about ideas .
A 2 3|||Nn|||ideas|||REQUIRED|||-NONE-|||0

S However , the cities do not depend of a book on Monday .
A 7 8|||Prep|||on|||REQUIRED|||-NONE-|||0

S The teacher depended on apple .
A 4 4|||ArtOrDet|||an|||REQUIRED|||-NONE-|||0

S The idea talked about schools on Friday .

S However , ideas live in the cities with technological .
A 8 9|||Wform|||technology|||REQUIRED|||-NONE-|||0

S Ideas talked about a problems .
A 4 5|||Nn|||problem|||REQUIRED|||-NONE-|||0

S A book lives in the student .

S However the city talks about a school on Friday .
A 1 1|||Mec|||,|||REQUIRED|||-NONE-|||0

S A city talks about cities on Friday .

S However , the apples depend on cities on Monday .

S Books do not look at the books with technology .
A 5 6|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 6 7|||Nn|||book|||REQUIRED|||-NONE-|||0

S The ideas do not listen to apples with technological .
A 8 9|||Wform|||technology|||REQUIRED|||-NONE-|||0

S However , books lived in a friend .

S However , city do n't talk a students with technology .
A 2 3|||Nn|||cities|||REQUIRED|||-NONE-|||0
A 4 5|||Wtone|||not|||REQUIRED|||-NONE-|||0
A 6 6|||Prep|||about|||REQUIRED|||-NONE-|||0
A 6 7|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S The teacher looks at a book .

S However , a problem listens to teachers .

S A student lives in the students .

S Problems do not look at the problems on Monday .
A 5 6|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0
A 6 7|||Nn|||problem|||REQUIRED|||-NONE-|||0

S The student looks at schools .

S The teacher lives in a book .

S However , a city talks about an ideas on Friday .
A 7 8|||Nn|||idea|||REQUIRED|||-NONE-|||0

S An idea depends a school .
A 3 3|||Prep|||on|||REQUIRED|||-NONE-|||0

S However , the problems depend on the friends on Monday .

S The school looks at an apple .

S A cities liveing in the friends .
A 1 2|||Nn|||city|||REQUIRED|||-NONE-|||0
A 2 3|||Vform|||lived|||REQUIRED|||-NONE-|||0
A 5 6|||Nn|||friend|||REQUIRED|||-NONE-|||0

S The book do n't listen to schools .
A 1 2|||Nn|||books|||REQUIRED|||-NONE-|||0
A 3 4|||Wtone|||not|||REQUIRED|||-NONE-|||0

S However schools do not talk about a ideas .
A 1 1|||Mec|||,|||REQUIRED|||-NONE-|||0
A 6 7|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S Teachers do not listen in schools .
A 4 5|||Prep|||to|||REQUIRED|||-NONE-|||0

S However , the city looks at the student .

S A teacher lived in a school on Monday .

S Friends depend on an apple on Friday .

S The student depends friends .
A 3 3|||Prep|||on|||REQUIRED|||-NONE-|||0

S The friends talk in the book .
A 3 4|||Prep|||about|||REQUIRED|||-NONE-|||0

S Cities looks of the book on Friday .
A 1 2|||SVA|||look|||REQUIRED|||-NONE-|||0
A 2 3|||Prep|||at|||REQUIRED|||-NONE-|||0

S However , problems talks about the ideas with technology .
A 3 4|||SVA|||talk|||REQUIRED|||-NONE-|||0

S However , students looking at the cities with technological .
A 3 4|||Vform|||looked|||REQUIRED|||-NONE-|||0
A 8 9|||Wform|||technology|||REQUIRED|||-NONE-|||0

S Ideas talk of the cities with technology .
A 2 3|||Prep|||about|||REQUIRED|||-NONE-|||0

S The book depend on a teacher .
A 2 3|||SVA|||depends|||REQUIRED|||-NONE-|||0

S The students listen to a problem .

S However , problems listen to the student .

S Cities look at a teachers on Monday .
A 3 4|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S The books do not talk about the books on Friday .

S Cities depend on the school .

S Students talk in the schools with technology .
A 2 3|||Prep|||about|||REQUIRED|||-NONE-|||0

S However , friends look at the apple .

S The schools listened to the city on Friday .

S The teachers depended on the schools .

S However , students live in friends .

S The students depends on the problem on Monday .
A 1 2|||Nn|||student|||REQUIRED|||-NONE-|||0

S The city looks at the friends with technology .

S However , the student look at teacher on Monday .
A 4 5|||SVA|||looks|||REQUIRED|||-NONE-|||0
A 6 7|||Nn|||teachers|||REQUIRED|||-NONE-|||0

S Cities live in teachers on Friday .

S An idea talked about students .

S However , the schools listens to friends on friday .
A 3 4|||Nn|||school|||REQUIRED|||-NONE-|||0
A 8 9|||Mec|||Friday|||REQUIRED|||-NONE-|||0

S However , a book depends of a friend with technology .
A 5 6|||Prep|||on|||REQUIRED|||-NONE-|||0

S The idea talks in the book with technology .
A 3 4|||Prep|||about|||REQUIRED|||-NONE-|||0
A 4 5|||ArtOrDet|||a|||REQUIRED|||-NONE-|||0

S However , a cities lives in the schools with technology .
A 3 4|||Nn|||city|||REQUIRED|||-NONE-|||0

S However , cities looked at schools .

S A city talks about the ideas with technology .

S However , the student listening to a book .
A 4 5|||Vform|||listened|||REQUIRED|||-NONE-|||0
A 6 7|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0
A 7 8|||Nn|||books|||REQUIRED|||-NONE-|||0

S However , books depend on the apples .

S However , the school depending on problem .
A 4 5|||Vform|||depended|||REQUIRED|||-NONE-|||0
A 6 7|||Nn|||problems|||REQUIRED|||-NONE-|||0

S However , a student depends on idea .
A 6 7|||Nn|||ideas|||REQUIRED|||-NONE-|||0

S A friend talk about the books .
A 2 3|||SVA|||talks|||REQUIRED|||-NONE-|||0

S Students depend on students with technological .
A 5 6|||Wform|||technology|||REQUIRED|||-NONE-|||0

S The schools depend of the friend on monday .
A 3 4|||Prep|||on|||REQUIRED|||-NONE-|||0
A 7 8|||Mec|||Monday|||REQUIRED|||-NONE-|||0

S However a friend listened to problems on Monday .
A 1 1|||Mec|||,|||REQUIRED|||-NONE-|||0

S A students talks about the teachers .
A 1 2|||Nn|||student|||REQUIRED|||-NONE-|||0

S The school depends on the teachers .

S However , the city depending on schools .
A 4 5|||Vform|||depended|||REQUIRED|||-NONE-|||0

S Apples look at friends on Friday .
A 3 3|||ArtOrDet|||the|||REQUIRED|||-NONE-|||0

S A problem depended on the teachers .

