import type { ImageSource } from '@lodge/shared/container-spec.ts'
import { PortProtocol } from '@lodge/shared/servers.ts'
import { registriesOf } from '@lodge/shared/templates/registries.ts'
import { imageChoices } from '@lodge/shared/templates/resolve.ts'
import { InputKind, inputKind } from '@lodge/shared/templates/rules/input-kind.ts'
import { z } from 'zod'
import type { TemplateRow } from './tables.ts'

/** A template as listed; without commands and environment for everyone. */
export const Template = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  author: z.string(),
  tags: z.array(z.string()),
  /** The name of a picture in the panel's set, or the URL of its own. */
  icon: z.string().nullable(),
  /** Shown before the others. */
  featured: z.boolean(),
  kind: z.enum(['container', 'vm']),
  origin: z.enum(['builtin', 'custom']),
  version: z.int(),
  customerVisible: z.boolean(),
  customerDescription: z.string().nullable(),
  /** Its servers; for a customer only their own. */
  servers: z.int(),
  /** How many of them are on an older version. */
  outdatedServers: z.int(),
  /** MiB and per cent of a core that suit most servers. */
  recommended: z.object({ memoryMb: z.int(), cpuPercent: z.int(), diskMb: z.int() }),
  /** Ports of a server, with the primary one. */
  ports: z.array(z.object({ label: z.string(), protocol: PortProtocol })),
  images: z.array(z.object({ name: z.string(), reference: z.string() })),
  /** Registries of its image; empty if it is built from Debian packages. */
  registries: z.array(z.string()),
  variables: z.array(
    z.object({
      env: z.string(),
      name: z.string(),
      description: z.string(),
      default: z.string(),
      editable: z.boolean(),
      secret: z.boolean(),
      input: InputKind,
    }),
  ),
  updatedAt: z.iso.datetime(),
})
export type Template = z.infer<typeof Template>

export interface ServerCount {
  readonly servers: number
  readonly outdated: number
}

/**
 * The visible part of a template; a customer sees only the variables open to customers, without
 * values.
 */
export function describeTemplate(
  row: TemplateRow,
  count: ServerCount | undefined,
  viewer: 'admin' | 'customer',
): Template {
  const { document } = row
  const { limits } = document.runtime
  const forCustomer = viewer === 'customer'
  return {
    id: row.id,
    name: row.name,
    description: forCustomer ? (row.customerDescription ?? row.description) : row.description,
    author: document.author,
    tags: document.tags,
    icon: row.icon,
    featured: row.featured,
    kind: document.kind,
    origin: row.origin,
    version: row.version,
    customerVisible: row.customerVisible,
    customerDescription: row.customerDescription,
    servers: count?.servers ?? 0,
    outdatedServers: count?.outdated ?? 0,
    recommended: {
      memoryMb: limits.memoryMb ?? 1024,
      cpuPercent: limits.cpuPercent ?? 100,
      diskMb: limits.diskMb ?? 5120,
    },
    images: imageChoices(document).map(({ name, source }) => ({
      name,
      reference: referenceOf(source),
    })),
    registries: registriesOf(document),
    ports: [
      { label: 'Primary', protocol: document.runtime.port.protocol },
      ...document.runtime.extraPorts.map(({ label, protocol }) => ({ label, protocol })),
    ],
    variables: document.variables
      .filter((variable) => !forCustomer || variable.userViewable)
      .map((variable) => ({
        env: variable.env,
        name: variable.name,
        description: variable.description,
        default: forCustomer ? '' : variable.default,
        editable: variable.userEditable,
        secret: variable.secret,
        input: inputKind(variable),
      })),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function referenceOf(source: ImageSource): string {
  if (source.kind === 'registry') return source.reference
  return source.kind === 'debian'
    ? `Debian ${source.suite}: ${source.packages.join(', ') || 'base system'}`
    : source.path
}
