-- cluster_analysis.db: two ranks, and a row that is the maximum of a stage.
PRAGMA page_size = 512;
CREATE TABLE ClusterStepTraceTime (step TEXT, type TEXT, "index" TEXT, computing NUMERIC,
  communication_not_overlapped NUMERIC, overlapped NUMERIC, communication NUMERIC, free NUMERIC);
INSERT INTO ClusterStepTraceTime VALUES
  ('0', 'rank', '0', 100, 20, 5, 25, 30.5), ('0', 'rank', '1', 90, 30, 5, 35, 30.5), ('0', 'stage', '(0, 1)', 100, 30, 5, 35, 30.5);
CREATE TABLE ClusterCommAnalyzerTime (step TEXT, rank_id INTEGER, hccl_op_name TEXT, group_name TEXT,
  start_timestamp NUMERIC, elapsed_time NUMERIC);
INSERT INTO ClusterCommAnalyzerTime VALUES
  ('step0', 0, 'hcom_broadcast__9_0@77', '77', 1700000000000000, 1.5), ('step0', 1, 'hcom_broadcast__9_0@77', '77', 1700000000000100, 1.25);
