import type { ContainerSpec } from '@lodge/shared/container-spec.ts'
import { isMachine } from '@lodge/shared/machine-spec.ts'
import type { TemplateDocument } from '@lodge/shared/templates/document.ts'
import { contextFor } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import type { Vault } from '../../../secrets/vault.ts'
import type { Services } from '../../../services.ts'
import { findNode } from '../../nodes/index.ts'
import { findTemplateVersion } from '../../templates/index.ts'
import { listPorts } from '../port-store.ts'
import { lockServer, unsealedServers, updateServer } from '../store.ts'
import type { PortRow, ServerRow } from '../tables.ts'
import { specOf } from './spec-of.ts'

/** Replaces a secret value in what is stored and shown. */
export const MASK = '••••••'

/** Columns that hold a server's values and spec. */
export type Stored = Pick<ServerRow, 'desiredSpec'> &
  Partial<Pick<ServerRow, 'variables' | 'sealed'>>

/** A server's secrets: the values of secret variables, and the spec that contains them. */
interface Sealed {
  readonly variables: Readonly<Record<string, string>>
  readonly spec: ContainerSpec
}

const place = (id: string) => ({ table: 'servers', id, column: 'sealed' })
const openSealed = (vault: Vault, id: string, sealed: Buffer): Sealed =>
  JSON.parse(vault.open(sealed, place(id)))

type Sized = Parameters<typeof specOf>[1]

/**
 * A container server as stored: values of the template's secret variables are only in the encrypted
 * part, and everything else has a mask in their place.
 * @param server with all its values
 * @param spec the node's spec, if it is not to be rebuilt
 */
export function storedSpec(
  vault: Vault,
  document: TemplateDocument,
  server: Sized,
  ports: readonly PortRow[],
  address: string | null,
  spec: ContainerSpec = specOf(document, server, ports, address),
): Required<Stored> {
  const secrets = new Set(document.variables.filter(({ secret }) => secret).map(({ env }) => env))
  const { variables } = server
  if (secrets.size === 0) return { variables, desiredSpec: spec, sealed: null }
  const part = (isSecret: boolean) =>
    Object.fromEntries(Object.entries(variables).filter(([env]) => secrets.has(env) === isSecret))
  const masks = Object.fromEntries([...secrets].map((env) => [env, MASK]))
  const open = part(false)
  const sealed: Sealed = { variables: part(true), spec }
  return {
    variables: open,
    desiredSpec: specOf(document, { ...server, variables: { ...open, ...masks } }, ports, address),
    sealed: vault.seal(JSON.stringify(sealed), place(server.id)),
  }
}

/** All values of a server's variables, including secret ones. */
export const allVariables = (
  vault: Vault,
  { id, variables, sealed }: Pick<ServerRow, 'id' | 'variables' | 'sealed'>,
): Readonly<Record<string, string>> =>
  sealed ? { ...variables, ...openSealed(vault, id, sealed).variables } : variables

/** The complete spec for the node as text; `query` is sent separately. */
export const wholeSpec = (
  vault: Vault,
  {
    id,
    spec,
    sealed,
  }: { readonly id: string; readonly spec: string; readonly sealed: Buffer | null },
): string => {
  if (!sealed) return spec
  const { query: _, ...rest } = openSealed(vault, id, sealed).spec
  return JSON.stringify(rest)
}

const AT_ONCE = 100
const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * Encrypts what older versions stored in plain text. Nodes are not affected: their specs stay the
 * same.
 */
export async function sealVariables(services: Services): Promise<void> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  let after = FIRST
  for (;;) {
    const ids = await unsealedServers(services.db, after, AT_ONCE)
    for (const id of ids)
      await ctx
        .transaction(({ db, vault }) => sealOne(db, vault, id))
        .catch((error: unknown) =>
          services.log.error({ err: error, serverId: id }, 'could not encrypt secret variables'),
        )
    after = ids.at(-1) ?? after
    if (ids.length < AT_ONCE) return
  }
}

async function sealOne(db: Db, vault: Vault, id: string): Promise<void> {
  const row = await lockServer(db, id)
  if (!row || row.sealed || isMachine(row.desiredSpec)) return
  const template = await findTemplateVersion(db, row.templateId ?? '', row.templateVersion ?? 0)
  const node = await findNode(db, row.nodeId)
  if (!template) return
  const address = node?.address ?? node?.remoteAddress ?? null
  const ports = await listPorts(db, id)
  await updateServer(
    db,
    id,
    storedSpec(vault, template.document, row, ports, address, row.desiredSpec),
  )
}
