/** Ids of the rows that every upgrade finds. */
export const KNOWN = {
  admin: '00000000-0000-4000-8000-000000000001',
  customer: '00000000-0000-4000-8000-000000000002',
  node: '00000000-0000-4000-8000-000000000003',
  template: '00000000-0000-4000-8000-000000000004',
  server: '00000000-0000-4000-8000-000000000005',
  job: '00000000-0000-4000-8000-000000000006',
  machine: '00000000-0000-4000-8000-000000000007',
  profile: '00000000-0000-4000-8000-000000000008',
  network: '00000000-0000-4000-8000-000000000009',
  plan: '00000000-0000-4000-8000-00000000000a',
  session: '00000000-0000-4000-8000-00000000000b',
} as const

/** The first administrator's session cookie. */
export const ADMIN_COOKIE = 'cookie-of-an-administrator'

const document = {
  format: 'lodge/v1',
  name: 'Echo',
  author: '',
  description: '',
  tags: [],
  kind: 'container',
  runtime: {
    images: [{ name: 'default', source: { kind: 'registry', reference: 'example/echo:1' } }],
    startup: { kind: 'argv', command: ['/bin/echo'] },
    environment: {},
    dataPath: '/data',
    proofOfLife: { patterns: [], stripAnsi: true, stayUpSeconds: 1, timeoutSeconds: 300 },
    stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 5 }],
    configFiles: [],
    capabilities: [],
    writableRoot: false,
    tty: false,
    temporaryMb: 64,
    port: { protocol: 'both' },
    extraPorts: [],
    limits: { memoryMb: 64, cpuPercent: 10, diskMb: 64 },
  },
  variables: [],
  features: [],
  fileDenylist: [],
}
const { admin, customer, node, template, server, job, machine, profile, network, plan, session } =
  KNOWN
const json = (value: unknown) => `'${JSON.stringify(value)}'`

/** A small installation in use, in the first schema. Never edited: it is what was released. */
export const firstSchema: readonly string[] = [
  `insert into users (id, email, role, super_admin, preferences, factor_due_at) values
   ('${admin}', 'root@example.com', 'admin', true, '{"mode":null}', now() + interval '1 day'),
   ('${customer}', 'ada@example.com', 'customer', false, '{"mode":"dark"}', null)`,
  `insert into sessions (id, user_id, token_hash, user_agent, address, expires_at) values
   ('${session}', '${admin}', sha256('${ADMIN_COOKIE}'), 'a browser', '192.0.2.1', now() + interval '1 day')`,
  `insert into totp_factors (user_id, secret, confirmed_at) values ('${customer}', '\\x01', now())`,
  `insert into recovery_codes (user_id, code_hash) values ('${customer}', '\\x05')`,
  `insert into api_tokens (id, user_id, name, prefix, scopes, token_hash)
   values (gen_random_uuid(), '${admin}', 'status', 'lodge_', '{read}', '\\x02')`,
  `insert into nodes (id, name, location, address, memory_mb, cpu_percent, disk_mb, port_ranges,
     credential_hash, allocated_memory_mb, allocated_cpu_percent, allocated_disk_mb, allocated_servers)
   values ('${node}', 'node one', 'Here', '192.0.2.2', 65536, 6400, 1000000, '[{"from":25000,"to":29999}]',
     '\\x03', 1088, 110, 10304, 2)`,
  `insert into templates (id, name, description, origin, version, document)
   values ('${template}', 'Echo', '', 'custom', 1, ${json(document)})`,
  `insert into template_versions (template_id, version, document)
   values ('${template}', 1, ${json(document)})`,
  `insert into servers (id, name, owner_id, template_id, template_version, node_id, memory_mb, cpu_percent,
     disk_mb, variables, crash_policy, desired_power, desired_spec, observed_state)
   values ('${server}', 'One', '${customer}', '${template}', 1, '${node}', 64, 10, 64, '{}',
     '{"mode":"on-failure","maxRestarts":5,"windowMinutes":10,"backoffSeconds":[1]}', 'off', '{}', 'stopped')`,
  `insert into server_ports (server_id, "offset", node_id, host_port, container_port, protocol)
   values ('${server}', 0, '${node}', 25000, 25565, 'tcp')`,
  `insert into server_events (id, server_id, kind, at, reason)
   values (gen_random_uuid(), '${server}', 'stopped', now(), 'stopped by a person')`,
  `insert into server_holds (server_id, kind, cause) values ('${server}', 'suspension', 'administrator')`,
  `insert into server_collaborators (server_id, user_id, permissions)
   values ('${server}', '${admin}', '{console}')`,
  `insert into server_usage (key, at, cpu, memory, rx, tx)
   select metric_key, now(), 1, 1, 1, 1 from servers`,
  `select make_metrics_partition('server_samples', 'server_samples_20200101', '2020-01-01', '2020-01-02', false)`,
  `insert into server_samples (key, at, cpu, memory, rx, tx)
   select metric_key, '2020-01-01 12:00Z', 1, 1, 1, 1 from servers`,
  `insert into jobs (id, kind, title, state, server_id, node_id, owner_id, started_by, input, steps, ended_at)
   values ('${job}', 'server.power', 'Start One', 'done', '${server}', '${node}', '${customer}', '${admin}',
     '{"action":"start"}', '[]', now())`,
  `insert into notifications (id, user_id, type, severity, title, body, group_key)
   values (gen_random_uuid(), '${customer}', 'server.crashed', 'warning', 'One', '', 'one')`,
  `insert into audit_log (id, at, actor_kind, actor_id, actor_email, action, target_id, server_id, detail, row_hash)
   values (gen_random_uuid(), now(), 'user', '${admin}', 'root@example.com', 'server.rename', '${server}',
     '${server}', '{}', '\\x04')`,
  `insert into settings (area, value) values ('test', '{"kept":true}')`,
  `insert into email_messages (id, template, to_address, subject, state, priority, message_id, expires_at, ended_at)
   values (gen_random_uuid(), 'test', 'ada@example.com', 'Welcome', 'sent', 1, '<1@lodge>', now(), now())`,
  `insert into plans (id, name, kind) values ('${plan}', 'Small', 'account')`,
  `insert into subscriptions (id, user_id, plan_id, status)
   values (gen_random_uuid(), '${customer}', '${plan}', 'active')`,
  `insert into vm_profiles (id, name, description, hardware) values ('${profile}', 'Old', '', '{}')`,
  `insert into vm_networks (id, name, mode, libvirt_name, subnet, prefix_length, gateway, pool_from, pool_to)
   values ('${network}', 'inside', 'nat', 'lodge0', 167772160, 24, 167772161, 167772162, 167772163)`,
  `insert into vm_media (id, name, kind, sha256, size_bytes, state)
   values (gen_random_uuid(), 'debian', 'image', repeat('ab', 32), 1024, 'ready')`,
  `insert into servers (id, name, kind, owner_id, node_id, memory_mb, cpu_percent, disk_mb, variables,
     crash_policy, desired_power, desired_spec, observed_state)
   values ('${machine}', 'Two', 'vm', '${customer}', '${node}', 1024, 100, 10240, '{}',
     '{"mode":"never","maxRestarts":0,"windowMinutes":1,"backoffSeconds":[1]}', 'off', '{}', 'stopped')`,
  `insert into machines (server_id, uuid, hostname, profile_id, network_id, address, mac, vcpus, disks,
     boot_order, nat_rules, stop)
   values ('${machine}', gen_random_uuid(), 'two', '${profile}', '${network}', 167772162, '52:54:00:00:00:01',
     1, '[]', '["disk"]', '[]', '{}')`,
  `insert into vm_addresses (network_id, address, server_id) values ('${network}', 167772162, '${machine}')`,
  `insert into vm_snapshots (id, server_id, name, state, disk_mb, has_firmware, has_tpm)
   values (gen_random_uuid(), '${machine}', 'before', 'ready', 10240, true, false)`,
]
