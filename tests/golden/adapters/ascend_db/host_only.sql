-- Operators of a program that gave the device nothing to do: the table of tasks is missing, that of calls is empty.
-- Without a table of steps the framework's own ranges count.
PRAGMA page_size = 512;
CREATE TABLE STRING_IDS (id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO STRING_IDS VALUES (1, 'ProfilerStep#0'), (2, 'aten::add');
CREATE TABLE RANK_DEVICE_MAP (rankId INTEGER, deviceId INTEGER);
INSERT INTO RANK_DEVICE_MAP VALUES (-1, 0);
CREATE TABLE CANN_API (startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER, name INTEGER);
CREATE TABLE PYTORCH_API (startNs TEXT, endNs TEXT, globalTid INTEGER, name INTEGER, type INTEGER);
INSERT INTO PYTORCH_API VALUES
  ('1700000000000001000', '1700000000000003000', 4294967297, 1, 50001),
  ('1700000000000001500', '1700000000000002000', 4294967297, 2, 50001);
