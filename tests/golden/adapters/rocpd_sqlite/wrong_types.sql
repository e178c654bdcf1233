-- Values of other types, rows that refer to none, settings that are no JSON.
PRAGMA page_size = 512;
CREATE TABLE rocpd_info_process_w (id, pid, environment, extdata);
INSERT INTO rocpd_info_process_w VALUES ('nine', NULL, 'RANK=1', '{"mpi_rank": "x", "mpi_size":'), (9, '9', x'00', 7);
CREATE TABLE rocpd_info_agent_w (id, type, absolute_index, name, extdata);
INSERT INTO rocpd_info_agent_w VALUES (NULL, 'GPU', 1, 'lost', '{}'), (1, 3, 'one', NULL, '[1, 2'),
  (2, 'GPU', 2, x'ff', '{"cu_count": "many", "max_engine_clk_fcompute": -5}');
CREATE TABLE rocpd_string_w (id, string);
INSERT INTO rocpd_string_w VALUES (1, 5), ('2', 'hipMemcpy');
CREATE TABLE rocpd_event_w (id, category_id, stack_id, extdata);
INSERT INTO rocpd_event_w VALUES (2, 1, -4, '{"message": 5}'), (1, 'x', 'y', '{"message": "unordered"}'),
  ('three', 1, 1, '{"message"');
CREATE TABLE rocpd_region_w (pid, tid, start, end, name_id, event_id);
INSERT INTO rocpd_region_w VALUES (9, 'x', 100, 200, 2, 1), (9, 9, 300, 200, 2, 2), (9, 9, 'soon', 200, 2, 2),
  (9, 9, 100, 250, 77, 77);
CREATE TABLE rocpd_kernel_dispatch_w (agent_id, kernel_id, start, end, grid_size_x, workgroup_size_x, event_id);
INSERT INTO rocpd_kernel_dispatch_w VALUES ('GPU', 1, 1000, 1100, 64, 0, 1), (2, 'x', 1200, 1300, -64, 64, NULL),
  (2, 1, -9223372036854775807, 9223372036854775807, 1, 1, 1);
CREATE TABLE rocpd_memory_copy_w (start, end, name_id, src_agent_id, dst_agent_id, size);
INSERT INTO rocpd_memory_copy_w VALUES (100, 200, 99, 'a', NULL, -5);
