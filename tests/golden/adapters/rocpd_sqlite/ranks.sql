-- Two ranks of one job, each with a device 4 of its own host, merged into one database.
PRAGMA page_size = 512;
CREATE TABLE rocpd_string_r0 (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string_r0 VALUES (1, 'HIP_RUNTIME_API'), (2, 'hipLaunchKernel');
CREATE TABLE rocpd_info_node_r0 (id INTEGER PRIMARY KEY, hostname TEXT);
INSERT INTO rocpd_info_node_r0 VALUES (1, 'node1');
CREATE TABLE rocpd_info_process_r0 (id INTEGER PRIMARY KEY, pid INTEGER, environment TEXT, extdata TEXT);
INSERT INTO rocpd_info_process_r0 VALUES (100, 100, '{"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"}', '{"kernel_trace": true}');
CREATE TABLE rocpd_info_agent_r0 (id INTEGER PRIMARY KEY, type TEXT, absolute_index INTEGER, name TEXT);
INSERT INTO rocpd_info_agent_r0 VALUES (4, 'GPU', 4, 'gfx90a'), (5, 'GPU', 5, 'gfx90a');
CREATE TABLE rocpd_info_kernel_symbol_r0 (id INTEGER PRIMARY KEY, display_name TEXT);
INSERT INTO rocpd_info_kernel_symbol_r0 VALUES (1, 'kernel of 100');
CREATE TABLE rocpd_event_r0 (id INTEGER PRIMARY KEY, category_id INTEGER, stack_id INTEGER, extdata TEXT);
INSERT INTO rocpd_event_r0 VALUES (1, 1, 1, '{}');
CREATE TABLE rocpd_region_r0 (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, end INTEGER,
  name_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_region_r0 VALUES (1, 100, 100, 1000, 1000 + 100, 2, 1);
CREATE TABLE rocpd_kernel_dispatch_r0 (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, agent_id INTEGER,
  kernel_id INTEGER, stream_id INTEGER, start INTEGER, end INTEGER, event_id INTEGER);
INSERT INTO rocpd_kernel_dispatch_r0 VALUES (1, 100, 100, 4, 1, 0, 1000 + 200, 1000 + 900, 1);
CREATE TABLE rocpd_string_r1 (id INTEGER PRIMARY KEY, string TEXT NOT NULL);
INSERT INTO rocpd_string_r1 VALUES (1, 'HIP_RUNTIME_API'), (2, 'hipLaunchKernel');
CREATE TABLE rocpd_info_node_r1 (id INTEGER PRIMARY KEY, hostname TEXT);
INSERT INTO rocpd_info_node_r1 VALUES (1, 'node2');
CREATE TABLE rocpd_info_process_r1 (id INTEGER PRIMARY KEY, pid INTEGER, environment TEXT, extdata TEXT);
INSERT INTO rocpd_info_process_r1 VALUES (200, 200, '{"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2"}', '{"kernel_trace": true}');
CREATE TABLE rocpd_info_agent_r1 (id INTEGER PRIMARY KEY, type TEXT, absolute_index INTEGER, name TEXT);
INSERT INTO rocpd_info_agent_r1 VALUES (4, 'GPU', 4, 'gfx90a'), (5, 'GPU', 5, 'gfx90a');
CREATE TABLE rocpd_info_kernel_symbol_r1 (id INTEGER PRIMARY KEY, display_name TEXT);
INSERT INTO rocpd_info_kernel_symbol_r1 VALUES (1, 'kernel of 200');
CREATE TABLE rocpd_event_r1 (id INTEGER PRIMARY KEY, category_id INTEGER, stack_id INTEGER, extdata TEXT);
INSERT INTO rocpd_event_r1 VALUES (1, 1, 1, '{}');
CREATE TABLE rocpd_region_r1 (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, start INTEGER, end INTEGER,
  name_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_region_r1 VALUES (1, 200, 200, 1500, 1500 + 100, 2, 1);
CREATE TABLE rocpd_kernel_dispatch_r1 (id INTEGER PRIMARY KEY, pid INTEGER, tid INTEGER, agent_id INTEGER,
  kernel_id INTEGER, stream_id INTEGER, start INTEGER, end INTEGER, event_id INTEGER);
INSERT INTO rocpd_kernel_dispatch_r1 VALUES (1, 200, 200, 4, 1, 0, 1500 + 200, 1500 + 900, 1);
