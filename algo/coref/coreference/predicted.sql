-- Predicted mentions, on gold trees: algo/coref/ontogum.sql makes train and dev.
TRAIN mention_detector AS wide ON train WITH (threshold = 0.05);
TRAIN coref AS found ON train WITH (detector = wide, mentions = both, passes = 4, rate = 0.05, antecedents = 400);
EVALUATE found ON dev;
