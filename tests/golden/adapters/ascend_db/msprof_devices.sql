-- msprof's database of a host: two devices, no framework. Kernels are not described (level 0), so their tasks go by type;
-- collectives state their device.
PRAGMA page_size = 512;
CREATE TABLE STRING_IDS (id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO STRING_IDS VALUES (1, 'KERNEL_AICORE'), (2, 'EVENT_RECORD'), (3, 'hcom_broadcast__7_0_1'), (4, 'FFTS_PLUS');
CREATE TABLE NPU_INFO (id INTEGER, name TEXT);
INSERT INTO NPU_INFO VALUES (0, 'Ascend910B'), (1, 'Ascend910B');
CREATE TABLE TASK (startNs INTEGER, endNs INTEGER, deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER,
  taskType INTEGER, streamId INTEGER);
INSERT INTO TASK VALUES
  (1000, 3000, 0, 1, 1, 1, 2), (1500, 3500, 1, 2, 2, 1, 2), (3600, 3600, 1, 3, 3, 2, 2), (4000, 5000, 1, 4, 4, 4, 3);
CREATE TABLE COMMUNICATION_OP (opName INTEGER, startNs INTEGER, endNs INTEGER, connectionId INTEGER, deviceId INTEGER);
INSERT INTO COMMUNICATION_OP VALUES (3, 4000, 5000, 4, 1);
CREATE TABLE CANN_API (startNs INTEGER, endNs INTEGER, type INTEGER, globalTid INTEGER, connectionId INTEGER, name INTEGER);
