import { z } from 'zod'
import { HardwareProfile } from './machine-profile.ts'
import {
  BOOT_DEVICES,
  DiskLimits,
  hostName,
  MachineDisk,
  MEDIUM_KINDS,
  NatRule,
  networkName,
  packageName,
  sshPublicKey,
  userData,
} from './machine-spec.ts'

/** API schemas of virtual machines and of the catalogue they are created from. */

export const label = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+$/u, 'must be one line of visible characters')

/** A catalogue entry where only its name matters. */
const Named = z.object({ id: z.uuid(), name: z.string() })

export const VmProfile = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  hardware: HardwareProfile,
  builtIn: z.boolean(),
  enabled: z.boolean(),
  /** Customers may create machines with it themselves. */
  customerVisible: z.boolean(),
})
export type VmProfile = z.infer<typeof VmProfile>

export const CreateVmProfile = z.strictObject({
  name: label,
  description: z.string().trim().max(500).default(''),
  hardware: HardwareProfile,
})
export type CreateVmProfile = z.infer<typeof CreateVmProfile>

/** Maximum size of a medium. */
export const MEDIUM_BYTES_MAX = 64 * 1024 ** 3

export const MEDIUM_STATES = ['uploading', 'checking', 'ready', 'failed'] as const
export const VmMedium = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(MEDIUM_KINDS),
  /** Null until it was checked, unless somebody or its publisher stated it. */
  sha256: z.string().nullable(),
  /** Null until it was downloaded and checked once; for an upload the announced size. */
  sizeBytes: z.int().nullable(),
  /** Size of the disk that the image describes; null for installation media. */
  virtualSizeMb: z.int().nullable(),
  state: z.enum(MEDIUM_STATES),
  enabled: z.boolean(),
  /** For administrators: where it comes from, why it failed, and the job that checks it. */
  url: z.string().nullable(),
  /** The publisher's checksum file that it was checked against. */
  checksumUrl: z.string().nullable(),
  /** The control plane stores the file and serves it to nodes. */
  kept: z.boolean().nullable(),
  /** How much of an upload has arrived. */
  uploadedBytes: z.int().nullable(),
  failure: z.string().nullable(),
  jobId: z.uuid().nullable(),
})
export type VmMedium = z.infer<typeof VmMedium>

export const httpsAddress = z
  .url({ protocol: /^https$/, error: 'must be an address that begins with https://' })
  .max(2048)
const fingerprint = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')

export const RegisterVmMedium = z
  .strictObject({
    name: label,
    url: httpsAddress.describe('HTTPS; with a fingerprint its content must never change'),
    sha256: fingerprint.optional().describe('of the file; or give checksumUrl'),
    checksumUrl: httpsAddress
      .optional()
      .describe("the publisher's file of checksums, by which the download is verified"),
    kind: z.enum(MEDIUM_KINDS),
  })
  .refine(({ sha256, checksumUrl }) => (sha256 === undefined) !== (checksumUrl === undefined), {
    path: ['sha256'],
    message: "give either the fingerprint or the address of the publisher's checksums",
  })
export type RegisterVmMedium = z.infer<typeof RegisterVmMedium>

export const UploadVmMedium = z.strictObject({
  name: label,
  kind: z.enum(MEDIUM_KINDS),
  sizeBytes: z.int().min(1).max(MEDIUM_BYTES_MAX),
  sha256: fingerprint.optional().describe('what arrives is held against it'),
})
export type UploadVmMedium = z.infer<typeof UploadVmMedium>

export const VmNetwork = z.object({
  id: z.uuid(),
  name: z.string(),
  mode: z.enum(['nat', 'configured']),
  enabled: z.boolean(),
  /** Customers may connect their machines to it themselves. */
  customerVisible: z.boolean(),
  subnet: z.string(),
  gateway: z.string(),
  dns: z.array(z.string()),
  /** For administrators; null for others. */
  libvirtName: z.string().nullable(),
  pool: z.object({ from: z.string(), to: z.string(), size: z.int(), leased: z.int() }).nullable(),
  nodeIds: z.array(z.uuid()).nullable(),
})
export type VmNetwork = z.infer<typeof VmNetwork>

export const RegisterVmNetwork = z.strictObject({
  name: label,
  mode: z
    .enum(['nat', 'configured'])
    .default('configured')
    .describe('nat: the panel makes it on each node; configured: libvirt has it there already'),
  libvirtName: networkName.describe('the name of the network in libvirt'),
  subnet: z.cidrv4().describe('e.g. 10.77.0.0/24'),
  gateway: z.ipv4().optional().describe('the first address of the subnet where it is left out'),
  dns: z.array(z.ipv4()).max(4).default([]),
  poolFrom: z.ipv4().describe('first address for guests'),
  poolTo: z.ipv4().describe('last address for guests'),
  nodeIds: z.array(z.uuid()).max(1000).default([]).describe('empty: every node'),
})
export type RegisterVmNetwork = z.infer<typeof RegisterVmNetwork>

export const Enable = z.strictObject({ enabled: z.boolean() })

/** Whether it is offered for new machines, and to customers; an absent field is left unchanged. */
export const Offer = z.strictObject({
  enabled: z.boolean(),
  customerVisible: z.boolean().optional().describe('released to customers for self-service'),
})
export type Offer = z.infer<typeof Offer>

export const VirtualizationCatalogue = z.object({
  profiles: z.array(VmProfile),
  media: z.array(VmMedium),
  networks: z.array(VmNetwork),
  /** Whether any node accepts virtual machines now. */
  available: z.boolean(),
})
export type VirtualizationCatalogue = z.infer<typeof VirtualizationCatalogue>

const seedFields = z.strictObject({
  hostname: hostName.optional().describe('made from the name of the server where it is left out'),
  user: z
    .string()
    .regex(/^[a-z_][a-z0-9_-]{0,31}$/)
    .default('admin'),
  sshKeys: z.array(sshPublicKey).max(32).default([]),
  password: z
    .string()
    .min(8, 'must have 8 characters at least')
    .max(128)
    .regex(/^[^\p{Cc}]+$/u, 'must be one line')
    .optional()
    .describe('the first password of the user; kept as a hash only'),
  packages: z.array(packageName).max(100).default([]).describe('installed at the first boot'),
  userData: userData.optional().describe("cloud-init's user data of your own, taken in after ours"),
})
const Seed = seedFields.refine(
  ({ sshKeys, password, userData }) =>
    sshKeys.length > 0 || password !== undefined || userData !== undefined,
  {
    path: ['sshKeys'],
    message: 'nobody could sign in: give an SSH key, a first password or user data of your own',
  },
)

/** Who signs in to a machine from a disk image, without what only its creator could add. */
export const MachineAccess = seedFields.pick({ user: true, sshKeys: true, password: true })
export type MachineAccess = z.infer<typeof MachineAccess>

/** The initial content of a new machine's disk. */
export const VmSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('iso'), mediumId: z.uuid() }),
  z.strictObject({ kind: z.literal('image'), mediumId: z.uuid(), seed: Seed }),
  z.strictObject({ kind: z.literal('empty') }),
])
export type VmSource = z.infer<typeof VmSource>

/** What a virtual machine needs besides its size: `diskMb` is its system disk. */
export const CreateVm = z.strictObject({
  networkId: z.uuid().optional().describe('any that the node has where it is left out'),
  source: VmSource,
  vcpus: z.int().min(1).max(512).optional(),
  extraDisks: z
    .array(z.strictObject({ sizeMb: z.int().min(1).max(1_073_741_824) }))
    .max(7)
    .default([]),
  guestPort: z
    .int()
    .min(1)
    .max(65535)
    .default(22)
    .describe('port of the guest that the first host port leads to'),
})
export type CreateVm = z.infer<typeof CreateVm>

export const VmSnapshot = z.object({
  id: z.uuid(),
  name: z.string(),
  state: z
    .enum(['creating', 'ready', 'deleting', 'away'])
    .describe('away: it belongs to newer or older files of the machine, which the host keeps'),
  createdAt: z.iso.datetime(),
  sizeBytes: z.int().nullable(),
  diskMb: z.int(),
  has: z.object({ firmware: z.boolean(), tpm: z.boolean() }),
})
export type VmSnapshot = z.infer<typeof VmSnapshot>

export const Vm = z.object({
  uuid: z.uuid(),
  hostname: z.string(),
  profile: VmProfile,
  vcpus: z.int(),
  memoryMb: z.int(),
  cpuPercent: z.int(),
  disks: z.array(MachineDisk),
  storage: z
    .string()
    .nullable()
    .describe('the shared storage that has its disks; null: the disk of its node'),
  medium: Named.extend({ kind: z.enum(MEDIUM_KINDS) }).nullable(),
  /** What an installation writes to the system disk; null for an empty one. */
  image: Named.nullable(),
  user: z.string().nullable().describe('who signs in with the keys of the image'),
  bootOrder: z.array(z.enum(BOOT_DEVICES)),
  network: z.object({
    id: z.uuid(),
    name: z.string(),
    mode: z.enum(['nat', 'configured']),
    address: z.string(),
    prefixLength: z.int(),
    gateway: z.string(),
    dns: z.array(z.string()),
    mac: z.string(),
  }),
  /** Host ports of the server and where each leads; null leads nowhere. */
  ports: z.array(
    z.object({
      hostPort: z.int(),
      offset: z.int(),
      rules: z.array(NatRule),
    }),
  ),
  /** The address of the host ports. */
  hostAddress: z.string().nullable(),
  /** False when the node runs it without KVM; null while unknown. */
  kvm: z.boolean().nullable(),
  /** What a desired boot is waiting for, in words. */
  bootWaitsFor: z.string().nullable(),
  snapshots: z.array(VmSnapshot),
  /** Hardware, disks and snapshots change only while the machine is stopped; `why` says why not now. */
  changeable: z.object({ now: z.boolean(), why: z.string().nullable() }),
})
export type Vm = z.infer<typeof Vm>

/** Named disks grow, or get other limits from the host; those without an id are new. */
export const ChangeVmDisks = z.strictObject({
  disks: z
    .array(
      z.strictObject({
        id: z.string().max(16).optional(),
        sizeMb: z.int().min(1).max(1_073_741_824).optional(),
        limits: DiskLimits.optional(),
      }),
    )
    .min(1)
    .max(8),
  force: z.boolean().optional(),
})
export type ChangeVmDisks = z.infer<typeof ChangeVmDisks>

export const ChangeVmResources = z.strictObject({
  vcpus: z.int().min(1).max(512),
  memoryMb: z.int().min(16).max(16_777_216),
  force: z.boolean().optional(),
})
export type ChangeVmResources = z.infer<typeof ChangeVmResources>

export const ChangeVmInstallation = z.strictObject({
  /** The medium in the drive: null ejects it, absent leaves it. */
  mediumId: z.uuid().nullable().optional(),
  bootOrder: z.array(z.enum(BOOT_DEVICES)).min(1).max(3).optional(),
  /** Recreate the system disk, the firmware variables and the TPM; needs `confirm`. */
  reinstall: z.boolean().default(false),
  source: VmSource.optional().describe('for a reinstallation, as it was where it is left out'),
  confirm: z.boolean().optional(),
})
export type ChangeVmInstallation = z.infer<typeof ChangeVmInstallation>

/** All rules together; a host port without a rule leads nowhere. */
export const ChangeVmNetwork = z.strictObject({ rules: z.array(NatRule).max(200) })
export type ChangeVmNetwork = z.infer<typeof ChangeVmNetwork>

export const CreateVmSnapshot = z.strictObject({ name: label, force: z.boolean().optional() })

export const VM_CONSOLES = ['vnc', 'serial'] as const
export const VmConsoleTicket = z.object({
  ticket: z.string(),
  url: z.string(),
  protocol: z.string(),
  expiresAt: z.iso.datetime(),
})
