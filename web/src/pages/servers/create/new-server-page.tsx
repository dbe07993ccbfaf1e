import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../../paths.ts'
import { q, qAll } from '../../../query.ts'
import { useMe } from '../../../session/session.ts'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { Segments } from '../../../ui/choices/segments.tsx'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Empty } from '../../../ui/notices/states.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { NewServerForm } from './container/new-server-form.tsx'
import type { Values } from './container/values.ts'
import { WithTemplates } from './container/with-templates.tsx'
import { emptyDraft } from './drafts.ts'
import { OwnMachineForm } from './own/own-machine-form.tsx'
import { OwnServerForm } from './own/own-server-form.tsx'
import type { OwnValues } from './own/own-values.ts'
import { offersContainers, offersMachines, whyNoServer } from './own/quota.ts'
import { NewVmForm } from './vm/new-vm-form.tsx'
import type { VmValues } from './vm/vm-values.ts'
import { t } from './words.ts'

const kinds = () =>
  [
    { value: 'container', label: t.container },
    { value: 'vm', label: t.machine },
  ] as const

/** Creates a server: everything on one page, with a summary beside it. */
export default function NewServerPage() {
  const { role } = useMe()
  return role === 'admin' ? <NewServer /> : <OwnServer />
}

interface KindSegmentsProps {
  kind: 'vm' | undefined
  owner?: string | undefined
}

/** Container or virtual machine; the choice is stored in the URL. */
function KindSegments({ kind, owner }: KindSegmentsProps) {
  const navigate = useNavigate({ from: paths.newServer })
  return (
    <Segments
      label={t.kind}
      value={kind ?? 'container'}
      choices={kinds()}
      onChange={(next) =>
        void navigate({
          search: { ...(owner ? { owner } : {}), ...(next === 'vm' ? { kind: next } : {}) },
          replace: true,
        })
      }
    />
  )
}

/** What has been typed for either kind, while the page is open. */
function useDrafts<V>() {
  const [drafts] = useState(() => ({ container: emptyDraft<V>(), vm: emptyDraft<VmValues>() }))
  return drafts
}

function OwnServer() {
  const { kind: asked } = useSearch({ from: '/in/servers/new' })
  const { container, vm } = useDrafts<OwnValues>()
  const options = useQuery(q('GET /api/me/servers/options'))
  const both = options.data && offersMachines(options.data) && offersContainers(options.data)
  const only = options.data && !offersContainers(options.data) ? 'vm' : undefined
  const kind = both ? asked : only
  return (
    <Page
      title={kind === 'vm' ? t.newMachine : t.newServer}
      actions={both ? <KindSegments kind={kind} /> : undefined}
    >
      <Loaded query={options} lines={8}>
        {(found) => {
          const blocked = whyNoServer(found)
          if (blocked !== undefined)
            return (
              <Card>
                <Empty
                  title={t.notNow}
                  art="locked"
                  action={<LinkButton to={paths.servers}>{t.backToServers}</LinkButton>}
                >
                  {t.because({ reason: blocked })}
                </Empty>
              </Card>
            )
          return kind === 'vm' ? (
            <OwnMachineForm options={found} own={vm} other={container} />
          ) : (
            <OwnServerForm options={found} own={container} other={vm} />
          )
        }}
      </Loaded>
    </Page>
  )
}

function NewServer() {
  const { template, owner, kind } = useSearch({ from: '/in/servers/new' })
  const { container, vm } = useDrafts<Values>()
  const nodes = useQuery(qAll('GET /api/nodes'))
  const catalogue = useQuery({
    ...q('GET /api/virtualization/catalogue'),
    enabled: kind === 'vm',
    // A medium that was added here is still being downloaded.
    refetchInterval: (query) =>
      query.state.data?.media.some(({ state }) => state === 'checking' || state === 'uploading')
        ? 2_000
        : false,
  })
  return (
    <Page
      title={kind === 'vm' ? t.newMachine : t.newServer}
      actions={<KindSegments kind={kind} owner={owner} />}
    >
      <Loaded query={nodes} lines={8}>
        {({ items }) =>
          items.length === 0 ? (
            <Card>
              <Empty
                title={t.noNodes}
                art="nodes"
                action={
                  <LinkButton kind="primary" to={paths.newNode}>
                    {t.addNode}
                  </LinkButton>
                }
              >
                {t.noNodesText}
              </Empty>
            </Card>
          ) : kind === 'vm' ? (
            <Loaded query={catalogue} lines={8}>
              {(found) => (
                <NewVmForm
                  catalogue={found}
                  nodes={items}
                  ownerId={owner}
                  own={vm}
                  other={container}
                />
              )}
            </Loaded>
          ) : (
            <WithTemplates>
              {(templates) => (
                <NewServerForm
                  templates={templates}
                  nodes={items}
                  templateId={template}
                  ownerId={owner}
                  own={container}
                  other={vm}
                />
              )}
            </WithTemplates>
          )
        }
      </Loaded>
    </Page>
  )
}
