import { z } from 'zod'
import { ContainerSpec, ProofOfLife, type StopStep } from './container-spec.ts'
import { HardwareProfile } from './machine-profile.ts'
import { OnSharedStorage } from './shared-storage.ts'

/**
 * Everything a node needs to run one virtual machine. Level-triggered like `ContainerSpec`: disks,
 * sizes, medium, network and NAT rules are part of the desired state, and `apply` enforces them.
 * One-off work (snapshots, copies for a move) is a task. Sizes are in MiB (1,048,576 bytes).
 */

export const MEDIUM_KINDS = ['iso', 'qcow2', 'raw'] as const
/** URL prefix of a medium that the control plane stores and serves to its nodes. */
const KEPT_MEDIUM = 'lodge://media/'
export const keptMediumUrl = (sha256: string): string => `${KEPT_MEDIUM}${sha256}`
export const isKeptMedium = (url: string): boolean => url.startsWith(KEPT_MEDIUM)
/** Where a medium comes from, in words. */
export const mediumHost = (url: string): string =>
  isKeptMedium(url) ? 'the control plane' : new URL(url).host

/** A file identified by its fingerprint, wherever it comes from. */
export const MediumRef = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  url: z
    .union([z.url({ protocol: /^https$/ }), z.string().regex(/^lodge:\/\/media\/[0-9a-f]{64}$/)])
    .pipe(z.string().max(2048)),
  kind: z.enum(MEDIUM_KINDS),
  sizeBytes: z.int().min(1),
})
export type MediumRef = z.infer<typeof MediumRef>

/** I/O limits of a disk; 0 is no limit. */
export const DiskLimits = z.strictObject({
  readIops: z.int().min(0).max(10_000_000).default(0),
  writeIops: z.int().min(0).max(10_000_000).default(0),
  readBytesPerSecond: z.int().min(0).max(1e12).default(0),
  writeBytesPerSecond: z.int().min(0).max(1e12).default(0),
})
export type DiskLimits = z.infer<typeof DiskLimits>

export const diskId = z.string().regex(/^[a-z][a-z0-9]{0,15}$/)
/** The first disk of a machine is its system disk. Disks may grow but never shrink. */
export const MachineDisk = z.strictObject({
  id: diskId,
  sizeMb: z.int().min(1).max(1_073_741_824),
  limits: DiskLimits.default({
    readIops: 0,
    writeIops: 0,
    readBytesPerSecond: 0,
    writeBytesPerSecond: 0,
  }),
})
export type MachineDisk = z.infer<typeof MachineDisk>

export const hostName = z
  .string()
  .max(63)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/)
export const sshPublicKey = z
  .string()
  .max(8192)
  .regex(
    /^(?:ssh-(?:ed25519|rsa)|ecdsa-sha2-nistp(?:256|384|521)|sk-[a-z0-9@.-]+) [A-Za-z0-9+/=]+(?: [^\p{Cc}]*)?$/u,
  )

export const packageName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9+._:@~-]{0,127}$/, 'must be the name of a package')

/** First lines of user data that cloud-init recognises. */
const USER_DATA_BEGINNINGS = [
  '#cloud-config',
  '#!',
  '#include',
  '#cloud-boothook',
  '#part-handler',
  '## template: jinja',
  'Content-Type: multipart/',
] as const

export const userData = z
  .string()
  .max(16_384)
  .refine((text) => !text.includes('\0'), 'must not contain a null character')
  .refine(
    (text) => USER_DATA_BEGINNINGS.some((beginning) => text.startsWith(beginning)),
    'must begin with #cloud-config, or with #! and the program that runs it',
  )

/**
 * The NoCloud data a cloud image receives at its first boot, except for the network, which comes
 * from the machine.
 */
export const CloudSeed = z.strictObject({
  /** Changes with each installation, so that the guest applies the seed again. */
  instanceId: z.string().min(1).max(128),
  hostname: hostName,
  user: z.string().regex(/^[a-z_][a-z0-9_-]{0,31}$/),
  sshKeys: z.array(sshPublicKey).max(32),
  /** A crypt(3) hash; null: no password. */
  passwordHash: z
    .string()
    .max(256)
    .regex(/^\$[0-9a-z]+\$[A-Za-z0-9./$=,]+$/)
    .nullable(),
  /** Installed at the first boot, by the names of the system's package manager. */
  packages: z.array(packageName).max(100).optional(),
  /** The creator's own cloud-init user data, applied after ours. */
  userData: userData.optional(),
})
export type CloudSeed = z.infer<typeof CloudSeed>

/** What an installation writes to the system disk. */
export const MachineSource = z.discriminatedUnion('kind', [
  /** An empty disk; the attached medium installs. */
  z.strictObject({ kind: z.literal('blank') }),
  /** A copy of this image, grown to the disk's size, and a seed disk. */
  z.strictObject({ kind: z.literal('image'), image: MediumRef, seed: CloudSeed }),
])
export type MachineSource = z.infer<typeof MachineSource>

export const macAddress = z.string().regex(/^52:54:00(?::[0-9a-f]{2}){3}$/)
export const networkName = z.string().regex(/^[a-z][a-z0-9-]{0,13}$/)
/**
 * The machine's one network card. `nat`: a network that the driver creates on the node, with the
 * node's own address as gateway and guests isolated from each other. `configured`: a libvirt
 * network created by the node's administrator; the driver changes nothing in it except the
 * machine's lease.
 */
export const MachineNetwork = z.strictObject({
  mode: z.enum(['nat', 'configured']),
  name: networkName,
  /** Name of the `nat` network's bridge on the node. */
  bridge: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,13}$/)
    .nullable(),
  mac: macAddress,
  /** The only address that the guest may use. */
  address: z.ipv4(),
  prefixLength: z.int().min(8).max(30),
  gateway: z.ipv4(),
  dns: z.array(z.ipv4()).max(4),
})
export type MachineNetwork = z.infer<typeof MachineNetwork>

export const NatRule = z.strictObject({
  protocol: z.enum(['tcp', 'udp']),
  hostPort: z.int().min(1).max(65535),
  guestPort: z.int().min(1).max(65535),
})
export type NatRule = z.infer<typeof NatRule>

export const BOOT_DEVICES = ['disk', 'cdrom', 'network'] as const

export const MachineSpec = z.strictObject({
  /** Distinguishes a machine from a container, whose document has no such field. */
  kind: z.literal('machine'),
  /** Never changes: firmware and licences are bound to it. */
  uuid: z.uuid(),
  ownerId: z.uuid(),
  hostname: hostName,
  /** Run without KVM if necessary; false: refuse. */
  emulationAllowed: z.boolean(),
  profile: HardwareProfile,
  vcpus: z.int().min(1).max(512),
  memoryMb: z.int().min(16).max(16_777_216),
  cpuPercent: z.int().min(1).max(102_400).describe('100 is one core of the node'),
  disks: z
    .array(MachineDisk)
    .min(1)
    .max(8)
    .refine((disks) => new Set(disks.map(({ id }) => id)).size === disks.length),
  storage: OnSharedStorage,
  /** In the drive; null: empty. */
  medium: MediumRef.nullable(),
  bootOrder: z
    .array(z.enum(BOOT_DEVICES))
    .min(1)
    .max(3)
    .refine((order) => new Set(order).size === order.length),
  source: MachineSource,
  network: MachineNetwork,
  natRules: z.array(NatRule).max(400),
  stop: z.strictObject({
    by: z.enum(['acpi', 'agent']),
    timeoutSeconds: z.int().min(1).max(600),
  }),
  /** Patterns are matched on the serial line. */
  proofOfLife: ProofOfLife,
})
export type MachineSpec = z.infer<typeof MachineSpec>

/** The specification of one server, container or machine. */
export const WorkloadSpec = z.union([MachineSpec, ContainerSpec])
export type WorkloadSpec = ContainerSpec | MachineSpec

/** Whether this is a virtual machine; everything else is a container. */
export const isMachine = (spec: WorkloadSpec): spec is MachineSpec => 'kind' in spec

/**
 * The steps of a graceful stop. For a machine the first is SIGTERM, which its driver turns into
 * what `stop.by` says.
 */
export const stopSteps = (spec: WorkloadSpec): StopStep[] =>
  isMachine(spec)
    ? [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: spec.stop.timeoutSeconds }]
    : spec.stop
