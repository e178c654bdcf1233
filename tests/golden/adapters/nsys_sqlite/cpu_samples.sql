-- A program that computes for itself between two kernels, recorded with --trace=cuda --sample=process-tree. Schema 3.16.
PRAGMA page_size = 512;
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'scan'), (3, 'prepare(int)'), (4, 'std::abs(double)'),
  (5, '/home/user/app'), (6, '/usr/lib64/libm.so.6'), (7, '0x7f00aa'), (8, '[kernel.kallsyms]'), (9, 'do_syscall_64');
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_PRODUCT_VERSION', '2024.6.2.225'), ('EXPORT_SCHEMA_VERSION', '3.16.1');
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000, '2023-11-14T22:13:20');
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
  streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER);
-- Process 100 with its threads 100 and 101: host 1 << 48 | process << 24 | thread.
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
  (100000, 200000, 0, 1, 7, 41, 281474976710656 + 100 * 16777216, 2, 2),
  (5000000, 5100000, 0, 1, 7, 42, 281474976710656 + 100 * 16777216, 2, 2);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,
  correlationId INTEGER, nameId INTEGER, returnValue INTEGER, callchainId INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
  (90000, 95000, 0, 281474976710656 + 100 * 16777216 + 100, 41, 1, 0, NULL),
  (4990000, 4995000, 0, 281474976710656 + 100 * 16777216 + 100, 42, 1, 0, NULL);
CREATE TABLE COMPOSITE_EVENTS (id INTEGER NOT NULL PRIMARY KEY, start INTEGER NOT NULL, cpu INTEGER, threadState INTEGER,
  globalTid INTEGER, cpuCycles INTEGER NOT NULL);
INSERT INTO COMPOSITE_EVENTS VALUES
  (1, 400000, 20, 1, 281474976710656 + 100 * 16777216 + 100, 1),
  (2, 1400000, 20, 1, 281474976710656 + 100 * 16777216 + 100, 1),
  (3, 2400000, 20, 1, 281474976710656 + 100 * 16777216 + 100, 1),
  (4, 3400000, 20, 1, 281474976710656 + 100 * 16777216 + 100, 1),
  -- Without a call stack.
  (5, 4400000, 20, 1, 281474976710656 + 100 * 16777216 + 101, 1);
CREATE TABLE SAMPLING_CALLCHAINS (id INTEGER NOT NULL, symbol INTEGER NOT NULL, module INTEGER NOT NULL, kernelMode INTEGER,
  unresolved INTEGER, stackDepth INTEGER NOT NULL, PRIMARY KEY (id, stackDepth));
INSERT INTO SAMPLING_CALLCHAINS VALUES
  -- The program itself; a library that it called; a library alone; nothing but an address.
  (1, 3, 5, 0, 0, 0),
  (2, 4, 6, 0, 0, 0), (2, 9, 8, 1, 0, 1), (2, 3, 5, 0, 0, 2),
  (3, 4, 6, 0, 0, 0),
  (4, 7, 5, 0, 1, 0);
