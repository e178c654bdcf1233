-- Tables without rows.
PRAGMA page_size = 512;
CREATE TABLE StepTraceTime (step TEXT, computing NUMERIC);
CREATE TABLE CommAnalyzerTime (hccl_op_name TEXT, elapse_time NUMERIC);
