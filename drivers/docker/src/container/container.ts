import type { PortPublication, ResourceLimits } from '@lodge/shared/container-spec.ts'
import type { ContainerCreateOptions } from 'dockerode'
import { type ContainerKind, containerName, LABEL } from '../engine/names.ts'

/** Everything a container is created from. There is no other way to set engine options. */
export interface ContainerInput {
  readonly kind: ContainerKind
  readonly scope: string
  readonly serverId: string
  readonly generation: number
  readonly run: number
  readonly fingerprint: string
  readonly image: string
  readonly uid: number
  /** Empty keeps the image's entrypoint. */
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly workingDirectory: string
  readonly tty: boolean
  readonly writableRoot: boolean
  readonly temporaryMb: number
  readonly capabilities: readonly string[]
  readonly limits: ResourceLimits
  readonly ports: readonly PortPublication[]
  readonly mounts: readonly {
    readonly source: string
    readonly target: string
    readonly readOnly: boolean
  }[]
  readonly network: string
}

const MIB = 1024 * 1024
const CPU_PERIOD_MICROSECONDS = 100_000

/** The limits that the engine can also change on a running container. */
export function liveLimits(limits: ResourceLimits) {
  const memory = limits.memoryMb * MIB
  return {
    Memory: memory,
    MemorySwap: memory,
    CpuPeriod: CPU_PERIOD_MICROSECONDS,
    CpuQuota: limits.cpuPercent * 1000,
    PidsLimit: limits.pids,
  }
}

/** The only place that builds container options, for servers and installers alike. */
export function buildContainer(input: ContainerInput): ContainerCreateOptions & { name: string } {
  return {
    name: containerName(input.scope, input.serverId, input.kind),
    Image: input.image,
    ...(input.command.length > 0 ? { Entrypoint: [...input.command], Cmd: [] } : {}),
    Env: Object.entries(input.environment).map(([name, value]) => `${name}=${value}`),
    User: `${input.uid}:${input.uid}`,
    WorkingDir: input.workingDirectory,
    Hostname: input.serverId.slice(0, 12),
    Tty: input.tty,
    OpenStdin: input.kind === 'run',
    StdinOnce: false,
    AttachStdin: input.kind === 'run',
    AttachStdout: true,
    AttachStderr: true,
    Labels: {
      [LABEL.server]: input.serverId,
      [LABEL.generation]: String(input.generation),
      [LABEL.run]: String(input.run),
      [LABEL.fingerprint]: input.fingerprint,
      [LABEL.kind]: input.kind,
      [LABEL.scope]: input.scope,
    },
    ExposedPorts: Object.fromEntries(input.ports.map((port) => [portKey(port), {}])),
    HostConfig: {
      ...liveLimits(input.limits),
      NetworkMode: input.network,
      PortBindings: portBindings(input.ports),
      Mounts: input.mounts.map((mount) => ({
        Type: 'bind',
        Source: mount.source,
        Target: mount.target,
        ReadOnly: mount.readOnly,
        BindOptions: { Propagation: 'rprivate' },
      })),
      // Executable: programs unpack native libraries there, and the data folder allows that anyway.
      // Owned by the server: some runtimes apply the mode of the image's own folder, which could
      // lock it out.
      Tmpfs: {
        '/tmp': `rw,exec,nosuid,nodev,mode=1777,uid=${input.uid},gid=${input.uid},size=${input.temporaryMb}m`,
      },
      ReadonlyRootfs: !input.writableRoot,
      CapDrop: ['ALL'],
      CapAdd: [...input.capabilities],
      SecurityOpt: ['no-new-privileges'],
      Privileged: false,
      PidMode: '',
      IpcMode: 'private',
      UTSMode: '',
      UsernsMode: '',
      PublishAllPorts: false,
      // An init process forwards signals and reaps zombies.
      Init: true,
      // The agent decides on restarts.
      RestartPolicy: { Name: 'no' },
      AutoRemove: false,
      // Under memory pressure the kernel kills a server before the agent.
      OomScoreAdj: 200,
      Ulimits: [
        { Name: 'nofile', Soft: input.limits.openFiles, Hard: input.limits.openFiles },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      // Non-blocking: a full log buffer drops lines instead of stalling the server.
      LogConfig: {
        Type: 'local',
        Config: {
          'max-size': '5m',
          'max-file': '2',
          compress: 'false',
          mode: 'non-blocking',
          'max-buffer-size': '4m',
        },
      },
    },
  }
}

function portKey(port: PortPublication): string {
  return `${port.containerPort}/${port.protocol}`
}

function portBindings(ports: readonly PortPublication[]) {
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {}
  for (const port of ports) {
    const list = bindings[portKey(port)] ?? []
    bindings[portKey(port)] = list
    list.push({ HostIp: port.hostAddress, HostPort: String(port.hostPort) })
  }
  return bindings
}
