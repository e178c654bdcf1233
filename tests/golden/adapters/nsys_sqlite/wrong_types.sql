-- Values that are no values of their columns: text, NULL, blobs, ends before starts, instants beyond reason.
PRAGMA page_size = 512;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT);
INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, NULL), (3, X'FF00'), (4, 'kernel');
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id, name, smCount, clockRate, cuDevice);
INSERT INTO TARGET_INFO_GPU VALUES (1, NULL, 'lost', 1, 1, 1), (1, 0, 7, 'many', -1, -1);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (9223372036854775807);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, correlationId, globalPid, demangledName,
  registersPerThread, gridX, staticSharedMemory, dynamicSharedMemory);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
  ('1000', '1500', '0', 7, 1, 16777216, 4, 32, 1, 0, 0), (2000, 1900, 0, 7, 2, 16777216, 4, 32, 1, 0, 0),
  (NULL, 2500, -1, 7, 3, NULL, 2, -5, 99999999999, NULL, 1), ('soon', 3000, NULL, NULL, NULL, NULL, 77, 'few', NULL, 1, 1),
  (9223372036854775807, 9223372036854775807, 0, 7, 4, 16777216, 3, 1.5, 1, 0, 0);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, bytes, copyKind, srcKind, dstKind);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (3000, 3100, 0, -1, 99, 99, NULL), (3200, 3300, 0, 'big', NULL, 1, 2);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, correlationId, nameId);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (900, 950, 0, 16777217, 1, 1), (900, 800, 0, 16777217, 2, 1),
  (NULL, 800, 0, 16777217, 3, 1), (1000, 1100, NULL, NULL, NULL, NULL);
CREATE TABLE NVTX_EVENTS (start, end, eventType, text, globalTid, textId, domainId);
INSERT INTO NVTX_EVENTS VALUES (10, 5, 59, 'backwards', 1, NULL, 0), (NULL, NULL, 60, 'nowhere', 1, NULL, 0), (10, 20, 59, NULL, NULL, NULL, NULL);
CREATE TABLE GPU_METRICS (timestamp, typeId, metricId, value);
INSERT INTO GPU_METRICS VALUES (10, 1, 0, 'x');
CREATE TABLE TARGET_INFO_GPU_METRICS (typeId, metricId, metricName);
INSERT INTO TARGET_INFO_GPU_METRICS VALUES (1, 0, 'SM Active'), (1, 1, NULL);
