-- Values that are no values of their columns: text, NULL, blobs, ends before starts, instants beyond reason.
PRAGMA page_size = 512;
CREATE TABLE STRING_IDS (id, value);
INSERT INTO STRING_IDS VALUES (1, 'KERNEL_AICORE'), (2, NULL), (3, X'FF00'), (4, 'gemm'), (5, 'device'), (6, 'aic_mac_ratio'),
  ('seven', 'lost'), (8, 'hcom_reduce_without_numbers');
CREATE TABLE NPU_INFO (id, name);
INSERT INTO NPU_INFO VALUES (NULL, 'lost'), (0, 7);
CREATE TABLE HOST_INFO (hostName);
INSERT INTO HOST_INFO VALUES (12);
CREATE TABLE RANK_DEVICE_MAP (rankId, deviceId);
INSERT INTO RANK_DEVICE_MAP VALUES ('first', 0);
CREATE TABLE STEP_TIME (id, startNs, endNs);
INSERT INTO STEP_TIME VALUES (NULL, 1, 2), (3, 20, 10), (4, 'soon', NULL);
CREATE TABLE TASK (startNs, endNs, deviceId, connectionId, globalTaskId, taskType, streamId);
INSERT INTO TASK VALUES
  ('1000', '1500', '0', '7', '1', '1', '2'), (2000, 1900, 0, 8, 2, 1, 2), (NULL, 2500, 0, 9, 3, 1, 2),
  (9223372036854775807, 9223372036854775807, 0, 9, 4, 1, 2), (3000, 3100, NULL, -1, 5, X'00', 'second'),
  (4000, 4100, NULL, NULL, 6, NULL, NULL);
CREATE TABLE COMPUTE_TASK_INFO (name, globalTaskId);
INSERT INTO COMPUTE_TASK_INFO VALUES (4, 1), (4, 2), (4, 3), (4, 4), (2, 5), (3, 6), (4, 'many');
CREATE TABLE TASK_PMU_INFO (globalTaskId, name, value);
INSERT INTO TASK_PMU_INFO VALUES (1, 6, 'half'), (1, 6, 7.5), (5, 6, 0.5), (NULL, 6, 0.5);
CREATE TABLE MEMCPY_INFO (globalTaskId, size, memcpyOperation);
INSERT INTO MEMCPY_INFO VALUES (NULL, 1, 1), (99, -1, 'x');
CREATE TABLE COMMUNICATION_OP (opName, startNs, endNs, connectionId, dataType, count);
INSERT INTO COMMUNICATION_OP VALUES (8, 5000, 5100, NULL, 4, -3), (NULL, 5200, 5300, 8, 'FP32', 'many'), (8, 5200, 5000, 8, 4, 1);
CREATE TABLE CANN_API (startNs, endNs, type, globalTid, connectionId, name);
INSERT INTO CANN_API VALUES (900, 950, NULL, NULL, NULL, NULL), (900, 800, 20000, 1, 1, 4), ('x', 800, 20000, 1, 1, 4);
CREATE TABLE PYTORCH_API (startNs, endNs, globalTid, connectionId, name, sequenceNumber, callchainId, type);
INSERT INTO PYTORCH_API VALUES ('100', '1e3', 1, 1, 4, 1, 1, 50001), (100, 200, 'x', 'y', 4, 'z', 99, 'op'), (5, 6, 1, 1, NULL, 1, 1, 50004);
CREATE TABLE CONNECTION_IDS (id, connectionId);
INSERT INTO CONNECTION_IDS VALUES (NULL, 1), (1, NULL);
CREATE TABLE AICORE_FREQ (deviceId, timestampNs, freq);
INSERT INTO AICORE_FREQ VALUES (0, 1000, 'fast'), (NULL, 1000, 1800), (0, NULL, 1800), (0, 1000, -5);
CREATE TABLE NPU_MEM (type, ddr, hbm, timestampNs, deviceId);
INSERT INTO NPU_MEM VALUES (5, NULL, NULL, 1000, 0), (5, 'x', 64, 1000, 0), (5, 1, 2, NULL, 0);
CREATE TABLE OP_MEMORY (size, allocationTime, releaseTime, deviceId);
INSERT INTO OP_MEMORY VALUES (NULL, 1, 2, 0), (-4, 1, 2, 0), (8, 'x', 2000, 'y');
