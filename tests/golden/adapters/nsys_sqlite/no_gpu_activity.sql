-- A capture without CUDA: ranges only: steps, and operators that PyTorch marked. Times of an unknown origin.
PRAGMA page_size = 512;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'step 1'), (2, 'step 2');
CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);
CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER);
INSERT INTO NVTX_EVENTS VALUES (1000, 2000, 59, NULL, 16777217, 1, 0), (2000, 3500, 59, NULL, 16777217, 2, 0),
  (2100, 2900, 59, 'aten::linear, op_id = 3', 16777217, NULL, 0), (2200, 2300, 59, 'aten::t, op_id = 4, sizes = [[]]', 16777217, NULL, 0),
  (2950, 3000, 59, 'AddmmBackward0, seq = 5', 16777218, NULL, 0), (2960, 2970, 59, 'a title, with a comma', 16777218, NULL, 0);
