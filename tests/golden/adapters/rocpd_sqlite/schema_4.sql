-- Schema 4: instants and places in tables of their own. Device 5 is row 2.
PRAGMA page_size = 512;
CREATE TABLE rocpd_metadata_a (id INTEGER PRIMARY KEY, tag TEXT, value TEXT);
CREATE TABLE rocpd_string_a (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string_a VALUES (1, 'hipLaunchKernel'), (2, 'MEMORY_COPY_DEVICE_TO_HOST');
CREATE TABLE rocpd_info_process_a (id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, environment TEXT, extdata TEXT);
INSERT INTO rocpd_info_process_a VALUES (1, 1, 4711, '{}', '{}');
CREATE TABLE rocpd_info_thread_a (id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, tid INTEGER);
INSERT INTO rocpd_info_thread_a VALUES (1, 1, 1, 4712);
CREATE TABLE rocpd_info_category_a (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO rocpd_info_category_a VALUES (1, 'rocm_hip_api');
CREATE TABLE rocpd_info_agent_a (id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, type TEXT, absolute_index INTEGER,
  name TEXT, product_name TEXT, extdata TEXT);
INSERT INTO rocpd_info_agent_a VALUES (1, 1, 1, 'CPU', 0, 'host', '', '{}'), (2, 1, 1, 'GPU', 5, 'gfx90a', '', '{}');
CREATE TABLE rocpd_info_kernel_symbol_a (id INTEGER PRIMARY KEY, kernel_name TEXT, display_name TEXT);
INSERT INTO rocpd_info_kernel_symbol_a VALUES (1, 'vecAdd', 'vecAdd(float*, int)');
CREATE TABLE rocpd_track_a (id INTEGER PRIMARY KEY, nid INTEGER, pid INTEGER, tid INTEGER, agent_id INTEGER,
  queue_id INTEGER, stream_id INTEGER, name_id INTEGER);
INSERT INTO rocpd_track_a VALUES (1, 1, 1, NULL, 2, 9, NULL, NULL), (2, 1, 1, 1, NULL, NULL, NULL, NULL);
CREATE TABLE rocpd_timestamp_a (id INTEGER PRIMARY KEY, value INTEGER, phase INTEGER, track_id INTEGER);
INSERT INTO rocpd_timestamp_a VALUES (1, 2000, 1, 1), (2, 2300, 2, 1), (3, 1000, 1, 2), (4, 1200, 2, 2),
  (5, 3000, 1, 1), (6, 3100, 2, 1);
CREATE TABLE rocpd_event_a (id INTEGER PRIMARY KEY, category_id INTEGER, stack_id INTEGER);
INSERT INTO rocpd_event_a VALUES (1, NULL, 8), (2, 1, 8);
CREATE TABLE rocpd_region_a (id INTEGER PRIMARY KEY, track_id INTEGER, name_id INTEGER, start_id INTEGER,
  end_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_region_a VALUES (1, 2, 1, 3, 4, 2);
CREATE TABLE rocpd_kernel_dispatch_a (id INTEGER PRIMARY KEY, track_id INTEGER, kernel_id INTEGER, start_id INTEGER,
  end_id INTEGER, workgroup_size_x INTEGER, workgroup_size_y INTEGER, workgroup_size_z INTEGER, grid_size_x INTEGER,
  grid_size_y INTEGER, grid_size_z INTEGER, event_id INTEGER);
INSERT INTO rocpd_kernel_dispatch_a VALUES (1, 1, 1, 1, 2, 64, 1, 1, 1000, 1, 1, 1);
CREATE TABLE rocpd_memory_copy_a (id INTEGER PRIMARY KEY, track_id INTEGER, start_id INTEGER, end_id INTEGER,
  name_id INTEGER, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER, event_id INTEGER);
INSERT INTO rocpd_memory_copy_a VALUES (1, 1, 5, 6, 2, 1, 2, 4096, NULL);
