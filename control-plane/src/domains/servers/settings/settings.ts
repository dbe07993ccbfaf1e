import { isMachine } from '@lodge/shared/machine-spec.ts'
import type { CrashPolicy } from '@lodge/shared/servers.ts'
import type { TemplateDocument } from '@lodge/shared/templates/document.ts'
import { imageChoices, variableValue } from '@lodge/shared/templates/resolve.ts'
import { inputKind } from '@lodge/shared/templates/rules/input-kind.ts'
import { isAdmin, type User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { invalid } from '../../../http/input.ts'
import { notFound, Problem } from '../../../problem.ts'
import { findTemplateVersion } from '../../templates/index.ts'
import { permits, type SharedServer } from '../access/access.ts'
import { changeDesired } from '../desired-state/desired-state.ts'
import { allVariables, MASK } from '../spec/sealed.ts'
import { respec } from '../spec/spec.ts'
import { requireVariables } from '../spec/spec-of.ts'
import { findServer, lockServer } from '../store.ts'
import type { ServerRow } from '../tables.ts'
import type { ServerView } from '../view/view.ts'

export interface StartupChange {
  readonly variables: Readonly<Record<string, string>>
  /** Name of one of the template's images. */
  readonly image?: string | undefined
}

/** Changes image and variables that the caller may edit; both apply at the next start. */
export async function changeStartup(ctx: Ctx<User>, server: SharedServer, change: StartupChange) {
  await ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, server.id)
    if (!row) throw notFound('server')
    // The version the server runs, not the newest: its rules must match the running image.
    const { document } = await templateOf(ctx, row)
    requireChoice(document, change.image)
    requireEditable(document, change.variables, isAdmin(ctx.actor))
    const image = change.image ?? row.image
    const variables = { ...allVariables(ctx.vault, row), ...change.variables }
    requireVariables(document, variables)
    const stored = await respec(ctx, { ...row, image }, row.templateVersion, variables)
    await changeDesired(ctx, row, { image, ...stored })
  })
  return startup(ctx, server)
}

function requireChoice(document: TemplateDocument, image: string | undefined): void {
  const names = imageChoices(document).map(({ name }) => name)
  if (image === undefined || names.includes(image)) return
  throw invalid([{ pointer: '/image', detail: `is not one of ${names.join(', ')}` }])
}

function requireEditable(
  document: TemplateDocument,
  given: Readonly<Record<string, string>>,
  admin: boolean,
): void {
  const locked = Object.keys(given).filter((env) => {
    const variable = document.variables.find((one) => one.env === env)
    return !admin && !(variable?.userEditable && variable.userViewable)
  })
  if (locked.length === 0) return
  throw invalid(
    locked.map((env) => ({
      pointer: `/variables/${env}`,
      detail: 'is not a variable you may edit',
    })),
  )
}

/** Image, command and environment, as far as the caller may see them; secrets stay masked. */
export async function startup(ctx: Ctx<User>, server: SharedServer) {
  const row = await findServer(ctx.db, server.id)
  if (!row) throw notFound('server')
  const template = await templateOf(ctx, row)
  const admin = isAdmin(ctx.actor)
  const { document } = template
  const visible = document.variables.filter((variable) => admin || variable.userViewable)
  const hidden = new Set(
    document.variables
      .filter((variable) => variable.secret || !visible.includes(variable))
      .map((variable) => variable.env),
  )
  const spec = row.desiredSpec
  if (isMachine(spec)) throw noTemplate()
  const values = allVariables(ctx.vault, row)
  // Read-only callers must not see values that may be credentials for other systems.
  const mayChange = !ctx.actor.viewer && permits(ctx.actor, server, 'startup.edit')
  return {
    image: row.image ?? imageChoices(document)[0]?.name ?? '',
    images: imageChoices(document).map((choice) => choice.name),
    command: mask(spec.command, hidden, values, document.variables),
    environment: Object.fromEntries(
      Object.entries(spec.environment)
        .filter(([name]) => admin || !hidden.has(name))
        .map(([name, value]) => [name, hidden.has(name) ? MASK : value]),
    ),
    variables: visible.map((variable) => ({
      env: variable.env,
      name: variable.name,
      description: variable.description,
      value:
        variable.secret && !(mayChange && (admin || variable.userEditable))
          ? ''
          : variableValue(variable, values),
      default: variable.secret && !admin ? '' : variable.default,
      editable: admin || variable.userEditable,
      secret: variable.secret,
      input: inputKind(variable),
    })),
    templateVersion: template.version,
    restartRequired: row.restartRequired,
  }
}

const noTemplate = () =>
  new Problem(
    'invalid_state',
    'A virtual machine has no startup command and no variables: see its hardware instead',
  )

async function templateOf({ db }: Ctx, row: ServerRow) {
  if (row.templateId === null || row.templateVersion === null) throw noTemplate()
  const template = await findTemplateVersion(db, row.templateId, row.templateVersion)
  if (!template) throw notFound('server')
  return { document: template.document, version: row.templateVersion }
}

/** Also masks values of hidden variables in the command. */
function mask(
  command: readonly string[],
  hidden: ReadonlySet<string>,
  values: Readonly<Record<string, string>>,
  variables: readonly { env: string; default: string }[],
): string[] {
  const secrets = variables
    .filter((variable) => hidden.has(variable.env))
    .map((variable) => values[variable.env] ?? variable.default)
    .filter((value) => value.length > 0)
  return command.map((item) =>
    secrets.reduce((text, secret) => text.replaceAll(secret, MASK), item),
  )
}

export async function crashPolicy(ctx: Ctx, server: ServerView): Promise<CrashPolicy> {
  const row = await findServer(ctx.db, server.id)
  if (!row) throw notFound('server')
  return row.crashPolicy
}

export async function setCrashPolicy(
  ctx: Ctx,
  server: ServerView,
  crashPolicy: CrashPolicy,
): Promise<CrashPolicy> {
  await ctx.transaction(async (ctx) => {
    const row = await lockServer(ctx.db, server.id)
    if (!row) throw notFound('server')
    await changeDesired(ctx, row, { crashPolicy })
  })
  return crashPolicy
}
