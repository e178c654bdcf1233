-- Values that are no values of their columns.
PRAGMA page_size = 512;
CREATE TABLE StepTraceTime (step, computing, communication_not_overlapped, free, type, "index");
INSERT INTO StepTraceTime VALUES
  ('', 1, 2, 3, NULL, NULL), ('5', 'much', 2, 3, NULL, NULL), ('5', -1, 2, 3, NULL, NULL), ('5', 1e300, 2, 3, NULL, NULL),
  ('5', 1, 2, 3, 'rank', 'first'), (X'00', 1, 2, NULL, NULL, NULL);
CREATE TABLE CommAnalyzerTime (hccl_op_name, group_name, start_timestamp, elapse_time);
INSERT INTO CommAnalyzerTime VALUES (NULL, NULL, 'early', 1.5), ('odd', 7, 1e40, 1), ('backwards', '7', 5, -1), ('none', '7', 5, NULL);
