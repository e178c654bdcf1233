-- CUDA was traced, and the program made no CUDA call; one message is about a kind of events that nobody recorded.
PRAGMA page_size = 512;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'read');
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
CREATE TABLE META_DATA_CAPTURE (name TEXT NOT NULL, value TEXT);
INSERT INTO META_DATA_CAPTURE VALUES ('CAPTURE_EVENT_TYPE', 'OSRuntime'), ('CAPTURE_EVENT_TYPE', 'Cuda'), ('RATE_HZ', '0');
CREATE TABLE ANALYSIS_DETAILS (globalVid INTEGER NOT NULL, duration INTEGER NOT NULL, startTime INTEGER NOT NULL, stopTime INTEGER NOT NULL);
INSERT INTO ANALYSIS_DETAILS VALUES (281474976710656, 9000000, 347897636, 356897636);
CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER, timestampType INTEGER, source INTEGER, severity INTEGER, text TEXT, globalPid INTEGER);
INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 1, 3, 1, 'Profiling has started.', 0), (2, 2, 3, 2, 'No NVTX events collected. Does the process use NVTX?', 0),
  (3, 1, 2, 2, 'Unable to collect CPU kernel IP samples. perf event paranoid level is 2. ' || char(10) || 'Try', 0);
CREATE TABLE OSRT_API (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER);
INSERT INTO OSRT_API VALUES (1000000, 8000000, 16777217, 1);
