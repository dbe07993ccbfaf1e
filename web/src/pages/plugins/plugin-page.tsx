import type { PluginDetail } from '@lodge/shared/plugins/plugin.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { LoadFailed, PageSkeleton } from '../../ui/notices/states.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Column, Split, Text } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { LogCard } from './log-card.tsx'
import { lookOf, signatureOf, sourceOf } from './looks.ts'
import { PermissionList } from './permission-list.tsx'
import { PluginActions } from './plugin-actions.tsx'
import { SettingsForm } from './settings-form.tsx'
import { UpdateNote } from './update-note.tsx'
import { t } from './words.ts'

/** One plugin: its state, permissions, settings and log. */
export default function PluginPage() {
  const { id } = useParams({ from: '/in/admin/plugins/$id' })
  const plugin = useQuery({
    ...q('GET /api/plugins/{plugin}', { params: { plugin: id } }),
    refetchInterval: 10_000,
  })
  if (plugin.data) return <Shown plugin={plugin.data} />
  if (!plugin.isError) return <PageSkeleton />
  return (
    <Page title={t.plugin} narrow>
      <LoadFailed error={plugin.error} onRetry={() => void plugin.refetch()} />
    </Page>
  )
}

function Shown({ plugin }: { plugin: PluginDetail }) {
  const missing = useMissing()('plugins.manage')
  const { tone, label } = lookOf(plugin.status)
  const home = plugin.homepage
  return (
    <Page
      title={plugin.name}
      lead={plugin.description}
      crumbs={<Link to={paths.plugins}>{t.title}</Link>}
      beside={<Pill tone={tone}>{label()}</Pill>}
      actions={<PluginActions plugin={plugin} missing={missing} />}
    >
      <Split side={340}>
        <Column>
          {plugin.failure === null ? null : (
            <Note tone="err" title={t.failedTitle}>
              {plugin.failure}
            </Note>
          )}
          <UpdateNote plugin={plugin} missing={missing} />
          <Card title={t.settings}>
            {Object.keys(plugin.form.properties).length === 0 ? (
              <Text muted>{t.noSettings}</Text>
            ) : (
              <SettingsForm key={plugin.version} plugin={plugin} missing={missing} />
            )}
          </Card>
          <LogCard id={plugin.id} />
        </Column>
        <Column>
          <Card title={t.about}>
            <Facts
              rows={[
                [t.version, plugin.version],
                ...(plugin.previousVersion === null
                  ? []
                  : [[t.previousVersion, plugin.previousVersion] as const]),
                [t.publisher, plugin.publisher],
                [t.license, plugin.license],
                ...(home === null
                  ? []
                  : [
                      [
                        t.homepage,
                        <a key="home" href={home} rel="noreferrer" target="_blank">
                          {new URL(home).host}
                        </a>,
                      ] as const,
                    ]),
                [t.source, sourceOf(plugin.source)],
                [t.signature, signatureOf(plugin.signature)],
                [t.installedAt, <Ago key="at" at={plugin.installedAt} />],
              ]}
            />
          </Card>
          <Card title={t.permissions}>
            <PermissionList permissions={plugin.permissions} />
          </Card>
        </Column>
      </Split>
    </Page>
  )
}
