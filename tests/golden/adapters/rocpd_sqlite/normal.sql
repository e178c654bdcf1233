-- rocprofv3 of ROCm 7 with kernel, copy, HIP and marker traces. Schema 3.
-- Every fixture here is made from the file of its name: sqlite3 normal.in < normal.sql
PRAGMA page_size = 512;
CREATE TABLE rocpd_metadata_0001 (id INTEGER PRIMARY KEY, tag TEXT, value TEXT);
INSERT INTO rocpd_metadata_0001 VALUES (1, 'schema_version', '3'), (2, 'uuid', '_0001');
CREATE TABLE rocpd_string_0001 (id INTEGER PRIMARY KEY, guid TEXT, string TEXT NOT NULL);
INSERT INTO rocpd_string_0001 VALUES (1, 'g', ''), (2, 'g', 'HIP_RUNTIME_API'), (3, 'g', 'KERNEL_DISPATCH'),
  (4, 'g', 'MEMORY_COPY'), (5, 'g', 'MARKER_CORE_API'), (6, 'g', 'hipLaunchKernel'), (7, 'g', 'hipMemcpy'),
  (8, 'g', 'roctxRangePushA'), (9, 'g', 'MEMORY_COPY_HOST_TO_DEVICE'), (10, 'g', 'HIP_COMPILER_API'),
  (11, 'g', '__hipPushCallConfiguration'), (12, 'g', 'timer_sampling'), (13, 'g', 'main');
CREATE TABLE rocpd_info_node_0001 (id INTEGER PRIMARY KEY, guid TEXT, hostname TEXT);
INSERT INTO rocpd_info_node_0001 VALUES (1, 'g', 'node7');
CREATE TABLE rocpd_info_process_0001 (id INTEGER PRIMARY KEY, guid TEXT, nid INTEGER, pid INTEGER, environment TEXT,
  extdata TEXT);
INSERT INTO rocpd_info_process_0001 VALUES (717, 'g', 1, 717, '{"HOME": "/root"}',
  '{"kernel_trace": true, "memory_copy_trace": true, "hip_runtime_api_trace": true, "mpi_rank": 0, "mpi_size": 0}');
CREATE TABLE rocpd_info_thread_0001 (id INTEGER PRIMARY KEY, guid TEXT, pid INTEGER, tid INTEGER, name TEXT);
INSERT INTO rocpd_info_thread_0001 VALUES (717, 'g', 717, 717, NULL), (1, 'g', 717, 721, 'worker');
CREATE TABLE rocpd_info_agent_0001 (id INTEGER PRIMARY KEY, guid TEXT, nid INTEGER, pid INTEGER, type TEXT,
  absolute_index INTEGER, logical_index INTEGER, type_index INTEGER, name TEXT, model_name TEXT, vendor_name TEXT,
  product_name TEXT, extdata TEXT);
INSERT INTO rocpd_info_agent_0001 VALUES
  (0, 'g', 1, 717, 'CPU', 0, 0, 0, 'AMD EPYC', '', 'CPU', 'AMD EPYC', '{}'),
  (1, 'g', 1, 717, 'GPU', 1, 1, 0, 'gfx942', 'ip discovery', 'AMD', 'AMD Instinct MI300X',
   '{"cu_count": 304, "max_engine_clk_fcompute": 2100}'),
  (2, 'g', 1, 717, 'GPU', 2, 2, 1, 'gfx942', '', 'AMD', '', '{"cu_count": 304}');
CREATE TABLE rocpd_info_kernel_symbol_0001 (id INTEGER PRIMARY KEY, guid TEXT, kernel_name TEXT, display_name TEXT,
  arch_vgpr_count INTEGER, accum_vgpr_count INTEGER, sgpr_count INTEGER);
INSERT INTO rocpd_info_kernel_symbol_0001 VALUES (4, 'g', '_Z5saxpyPf.kd', 'saxpy(float*) (.kd)', 24, 8, 32),
  (5, 'g', 'ncclDevKernel_AllReduce_Sum_f32_RING_LL.kd', '', 96, 0, 96);
CREATE TABLE rocpd_event_0001 (id INTEGER PRIMARY KEY, guid TEXT, category_id INTEGER, stack_id INTEGER,
  parent_stack_id INTEGER, correlation_id INTEGER, extdata TEXT);
INSERT INTO rocpd_event_0001 VALUES (1, 'g', 2, 11, 0, 0, '{}'), (2, 'g', 2, 12, 0, 0, '{}'),
  (3, 'g', 5, 13, 0, 0, '{"message":"iteration 1"}'), (4, 'g', 5, 14, 0, 0, '{"message":"iteration 2"}'),
  (5, 'g', 5, 15, 0, 0, '{"message":"a mark"}'), (6, 'g', 3, 11, 11, 0, '{}'), (7, 'g', 3, 0, 0, 0, '{}'),
  (8, 'g', 4, 12, 12, 0, '{}'), (9, 'g', 10, 16, 0, 0, '{}'), (10, 'g', 12, 0, 0, 0, '{}');
CREATE TABLE rocpd_track_0001 (id INTEGER PRIMARY KEY, guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER,
  name_id INTEGER);
INSERT INTO rocpd_track_0001 VALUES (1, 'g', 1, 717, 1, 5);
CREATE TABLE rocpd_region_0001 (id INTEGER PRIMARY KEY, guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER,
  start INTEGER, end INTEGER, name_id INTEGER, event_id INTEGER, extdata TEXT);
INSERT INTO rocpd_region_0001 VALUES (11, 'g', 1, 717, 717, 1000, 1400, 6, 1, '{}'),
  (12, 'g', 1, 717, 717, 3000, 8000, 7, 2, '{}'), (13, 'g', 1, 717, 717, 900, 5000, 8, 3, '{}'),
  (14, 'g', 1, 717, 717, 5000, 9000, 8, 4, '{}'), (16, 'g', 1, 717, 717, 950, 960, 11, 9, '{}'),
  (17, 'g', 1, 717, 717, 0, 9000, 13, 10, '{}');
CREATE TABLE rocpd_sample_0001 (id INTEGER PRIMARY KEY, guid TEXT, track_id INTEGER, timestamp INTEGER,
  event_id INTEGER);
INSERT INTO rocpd_sample_0001 VALUES (15, 'g', 1, 2500, 5);
CREATE TABLE rocpd_kernel_dispatch_0001 (id INTEGER PRIMARY KEY, guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER,
  agent_id INTEGER, kernel_id INTEGER, dispatch_id INTEGER, queue_id INTEGER, stream_id INTEGER, start INTEGER,
  end INTEGER, private_segment_size INTEGER, group_segment_size INTEGER, workgroup_size_x INTEGER,
  workgroup_size_y INTEGER, workgroup_size_z INTEGER, grid_size_x INTEGER, grid_size_y INTEGER, grid_size_z INTEGER,
  region_name_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_kernel_dispatch_0001 VALUES
  (1, 'g', 1, 717, 717, 1, 4, 1, 3, 0, 1600, 2600, 0, 512, 64, 1, 1, 1024, 8, 1, 1, 6),
  (2, 'g', 1, 717, 717, 2, 5, 2, 4, 2, 2000, 2900, 0, 0, 256, 1, 1, 300, 1, 1, 1, 7);
CREATE TABLE rocpd_memory_copy_0001 (id INTEGER PRIMARY KEY, guid TEXT, nid INTEGER, pid INTEGER, tid INTEGER,
  start INTEGER, end INTEGER, name_id INTEGER, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER,
  stream_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_memory_copy_0001 VALUES (1, 'g', 1, 717, 717, 3500, 7500, 9, 1, 0, 65536, 0, 8);
CREATE TABLE rocpd_pmc_event_0001 (id INTEGER PRIMARY KEY, guid TEXT, event_id INTEGER, pmc_id INTEGER, value REAL);
-- The names without an ending are views; they are not read.
CREATE VIEW rocpd_kernel_dispatch AS SELECT * FROM rocpd_kernel_dispatch_0001;
