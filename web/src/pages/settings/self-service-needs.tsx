import type { LimitSettings } from '@lodge/shared/limits/settings.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Column } from '../../ui/page/layout.tsx'

/** What is missing before customers can create servers, each with a link to its page. */
export function SelfServiceNeeds({ mode }: { mode: LimitSettings['selfService'] }) {
  const may = useMay()
  const wanted = mode !== 'off'
  const first = { query: { limit: 100 } } as const
  const nodes = useQuery({ ...q('GET /api/nodes', first), enabled: wanted && may('nodes.view') })
  const templates = useQuery({
    ...q('GET /api/templates', first),
    enabled: wanted && may('templates.view'),
  })
  const plans = useQuery({
    ...q('GET /api/plans'),
    enabled: mode === 'account_plans' && may('plans.view'),
  })
  const defaults = useQuery({
    ...q('GET /api/limits/defaults'),
    enabled: wanted && may('limits.settings'),
  })
  if (!wanted) return null
  const none = defaults.data?.maxServers === 0 || defaults.data?.mayCreateServers === false
  const granting = plans.data?.items.some(
    ({ kind, archivedAt, limits }) =>
      kind === 'account' && archivedAt === null && limits.mayCreateServers === true,
  )
  const needs: readonly (readonly [missing: boolean, need: ReactNode])[] = [
    [
      nodes.data !== undefined && !nodes.data.items.some(({ state }) => state === 'online'),
      <Need key="nodes" title="No node is connected" to={paths.nodes} open="Open nodes">
        A server needs a node that is connected and has room.
      </Need>,
    ],
    [
      templates.data !== undefined &&
        !templates.data.items.some(({ customerVisible }) => customerVisible),
      <Need
        key="templates"
        title="No template is shown to customers"
        to={paths.templates}
        open="Open templates"
      >
        Open a template and show it to customers: they choose from those only.
      </Need>,
    ],
    [
      mode === 'everyone' && none,
      <Need
        key="limits"
        title="The default limits allow no server"
        to={paths.settingsLimits}
        open="Open limits"
      >
        Raise “Servers” and “Create servers” there, or give each customer a plan that does.
      </Need>,
    ],
    [
      granting === false,
      <Need key="plans" title="No plan allows to create servers" to={paths.plans} open="Open plans">
        Make an account plan with “Create servers”, or allow it to single customers by hand.
      </Need>,
    ],
  ]
  const missing = needs.filter(([is]) => is).map(([, need]) => need)
  return missing.length === 0 ? null : <Column gap={10}>{missing}</Column>
}

function Need({
  title,
  to,
  open,
  children,
}: {
  title: string
  to: typeof paths.nodes | typeof paths.templates | typeof paths.settingsLimits | typeof paths.plans
  open: string
  children: ReactNode
}) {
  return (
    <Note
      tone="warn"
      title={title}
      action={
        <LinkButton size="small" to={to}>
          {open}
        </LinkButton>
      }
    >
      {children}
    </Note>
  )
}
