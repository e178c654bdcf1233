-- A program on the third device of its machine (two hosts come first), traced with roctracer. Schema 2.
-- Every fixture here is made from the file of its name: sqlite3 normal.in < normal.sql
PRAGMA page_size = 512;
CREATE TABLE rocpd_metadata (id INTEGER PRIMARY KEY, tag TEXT, value TEXT);
INSERT INTO rocpd_metadata VALUES (1, 'schema_version', '2'), (2, 'session_count', '1');
CREATE TABLE rocpd_string (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string VALUES
  (1, ''), (2, 'hipMalloc'), (3, 'hipMemcpyWithStream'), (4, 'hipLaunchKernel'), (5, 'hipExtModuleLaunchKernel'),
  (6, 'hipDeviceSynchronize'), (7, 'UserMarker'), (8, 'step 1'), (9, 'step 2'), (10, 'hcc_activity_callback'),
  (11, 'count=5'), (12, 'OpTable::writeRows'), (13, 'KernelExecution'), (14, 'CopyHostToDevice'), (15, 'FillBuffer'),
  (16, 'void add_kernel<float>(float*, int)'), (17, 'Cijk_Ailk_Bljk_SB_MT128x64x16.kd'),
  (18, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)'), (19, 'hipMemsetAsync'),
  (20, 'Barrier'), (21, 'aten::addmm, seq = 12, op_id = 7, sizes = [[2, 3], [3, 4]]');
CREATE TABLE rocpd_api (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, end INTEGER,
  apiName_id INTEGER, args_id INTEGER, columnOfTheFuture TEXT);
INSERT INTO rocpd_api VALUES
  (1, 70, 70, 1000, 1500, 2, 1, 'x'), (2, 70, 70, 2000, 9000, 3, 1, 'x'), (3, 70, 70, 10000, 10400, 4, 1, 'x'),
  (4, 70, 70, 10500, 11000, 5, 1, 'x'), (5, 70, 70, 11100, 20000, 6, 1, 'x'), (6, 70, 71, 21000, 21200, 4, 1, 'x'),
  (7, 70, 70, 21300, 21400, 19, 1, 'x'),
  (2147483649, 70, 70, 1900, 20500, 7, 8, 'x'), (2147483650, 70, 70, 20600, 30000, 7, 9, 'x'),
  (2147483651, 70, 70, 9900, 11050, 7, 21, 'x'), (2147483652, 70, 72, 40000, 40100, 10, 11, 'x'),
  (2147483653, 70, 72, 40200, 40300, 12, 1, 'x');
CREATE TABLE rocpd_op (id INTEGER PRIMARY KEY, gpuId INTEGER, queueId INTEGER, sequenceId INTEGER,
  completionSignal TEXT, start INTEGER, end INTEGER, description_id INTEGER, opType_id INTEGER);
INSERT INTO rocpd_op VALUES
  (1, 2, 0, 0, '', 3000, 8000, 1, 14), (2, 2, 0, 0, '', 11000, 14000, 16, 13), (3, 2, 0, 0, '', 14000, 19000, 17, 13),
  (4, 2, 1, 0, '', 22000, 24000, 18, 13), (5, 2, 0, 0, '', 24000, 24100, 1, 15), (6, 2, 0, 0, '', 24100, 24100, 1, 20);
CREATE TABLE rocpd_api_ops (id INTEGER PRIMARY KEY, api_id INTEGER, op_id INTEGER);
INSERT INTO rocpd_api_ops VALUES (1, 2, 1), (2, 3, 2), (3, 4, 3), (4, 6, 4), (5, 7, 5);
CREATE TABLE rocpd_kernelapi (api_ptr_id INTEGER PRIMARY KEY, stream TEXT, gridX INTEGER, gridY INTEGER, gridZ INTEGER,
  workgroupX INTEGER, workgroupY INTEGER, workgroupZ INTEGER, groupSegmentSize INTEGER, privateSegmentSize INTEGER,
  kernelName_id INTEGER);
-- hipLaunchKernel states blocks, hipExtModuleLaunchKernel work-items.
INSERT INTO rocpd_kernelapi VALUES
  (3, '0x0', 40, 2, 1, 128, 1, 1, 64, 0, 16), (4, '0x0', 1792, 782, 1, 256, 1, 1, 0, 0, 17),
  (6, '0x0', 4, 1, 1, 512, 1, 1, 0, 0, 18);
CREATE TABLE rocpd_copyapi (api_ptr_id INTEGER PRIMARY KEY, stream TEXT, size INTEGER, width INTEGER, height INTEGER,
  kind INTEGER, dst TEXT, src TEXT, dstDevice INTEGER, srcDevice INTEGER, sync INTEGER, pinned INTEGER);
INSERT INTO rocpd_copyapi VALUES (2, '0x0', 4096, '', '', 1, '0x1', '0x2', 0, 0, 0, 0);
CREATE TABLE rocpd_monitor (id INTEGER PRIMARY KEY, deviceType TEXT, deviceId INTEGER, monitorType TEXT, start INTEGER,
  end INTEGER, value TEXT);
INSERT INTO rocpd_monitor VALUES (1, 'gpu', 0, 'sclk', 500, 11000, '800'), (2, 'gpu', 0, 'sclk', 11000, 30000, '1700'),
  (3, 'gpu', 0, 'vddgfx', 500, 30000, '1.1'), (4, 'gpu', 0, 'sclk', 30000, 31000, 'fast');
-- A view that calls itself a table must not be read.
CREATE VIEW op AS SELECT * FROM rocpd_op;
