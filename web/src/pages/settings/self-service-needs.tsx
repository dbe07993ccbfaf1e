import type { LimitSettings } from '@lodge/shared/limits/settings.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { q, qAll } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

/** What is missing before customers can create servers, each with a link to its page. */
export function SelfServiceNeeds({ mode }: { mode: LimitSettings['selfService'] }) {
  const may = useMay()
  const wanted = mode !== 'off'
  const nodes = useQuery({ ...qAll('GET /api/nodes'), enabled: wanted && may('nodes.view') })
  const templates = useQuery({
    ...qAll('GET /api/templates'),
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
      <Need key="nodes" title={t.noNode} to={paths.nodes} open={t.openNodes}>
        {t.noNodeText}
      </Need>,
    ],
    [
      templates.data !== undefined &&
        !templates.data.items.some(({ customerVisible }) => customerVisible),
      <Need key="templates" title={t.noTemplate} to={paths.templates} open={t.openTemplates}>
        {t.noTemplateText}
      </Need>,
    ],
    [
      mode === 'everyone' && none,
      <Need key="limits" title={t.noServerAllowed} to={paths.settingsLimits} open={t.openLimits}>
        {t.noServerAllowedText}
      </Need>,
    ],
    [
      granting === false,
      <Need key="plans" title={t.noPlan} to={paths.plans} open={t.openPlans}>
        {t.noPlanText}
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
