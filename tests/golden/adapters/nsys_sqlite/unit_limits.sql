-- What a multiprocessor holds, as the export states it, and a kernel of which one block fits on each.
PRAGMA page_size = 512;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'tiles');
CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);
CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, smCount INTEGER, cuDevice INTEGER, computeMajor INTEGER, computeMinor INTEGER,
  maxWarpsPerSm INTEGER, threadsPerWarp INTEGER, maxBlocksPerSm INTEGER, maxRegistersPerSm INTEGER, maxShmemPerSm INTEGER);
INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA GeForce RTX 3060', 28, 0, 8, 6, 48, 32, 16, 65536, 102400),
  (1, 'a device of which nothing is stated', NULL, 1, 8, NULL, 48, NULL, 0, -1, NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, correlationId INTEGER,
  globalPid INTEGER, demangledName INTEGER, shortName INTEGER, registersPerThread INTEGER, gridX INTEGER, gridY INTEGER,
  gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 9000, 0, 7, 1, 281474976710656, 1, 1, 192, 40, 1, 1, 256, 1, 1, 8192, 0),
  (1000, 9000, 1, 7, 2, 281474976710656, 1, 1, 192, 40, 1, 1, 256, 1, 1, 8192, 0);
