-- analysis.db of a rank. Every fixture here is made from the file of its name: sqlite3 normal.in < normal.sql
PRAGMA page_size = 512;
CREATE TABLE StepTraceTime (step TEXT, computing NUMERIC, communication_not_overlapped NUMERIC, overlapped NUMERIC,
  communication NUMERIC, free NUMERIC, stage NUMERIC, bubble NUMERIC, preparing NUMERIC);
INSERT INTO StepTraceTime VALUES ('50', 8903.431, 98071.947, 4036.153, 102108.1, 25258.144, 132233.522, 0, 18055.693);
CREATE TABLE CommAnalyzerTime (hccl_op_name TEXT, group_name TEXT, start_timestamp NUMERIC, elapse_time NUMERIC,
  transit_time NUMERIC, wait_time NUMERIC, step TEXT, type TEXT);
INSERT INTO CommAnalyzerTime VALUES
  ('hcom_allReduce__210_0_1', '17148521525495523210', 1736410576431645.25, 88.75099321875, 0.2, 3.5, 'step50', 'collective'),
  ('hcom_allReduce__210_1_1', '17148521525495523210', 1736410576520400, 2.5, 1.3, 0, 'step50', 'collective'),
  ('Total Op Info', '17148521525495523210', 0, 91.25099321875, 1.5, 3.5, 'step50', 'collective');
CREATE TABLE CommAnalyzerBandwidth (hccl_op_name TEXT, bandwidth NUMERIC);
INSERT INTO CommAnalyzerBandwidth VALUES ('hcom_allReduce__210_0_1', 15.7);
