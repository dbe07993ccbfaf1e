import type { PluginOrigin } from '@lodge/shared/plugins/plugin.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { InstallDialog } from './install-dialog.tsx'
import { InstalledTable } from './installed-table.tsx'
import { PackageButton } from './package-button.tsx'
import { StoreTable } from './store-table.tsx'
import { t } from './words.ts'

/** Installed plugins, and those that can be installed. */
export default function PluginsPage() {
  const missing = useMissing()('plugins.manage')
  const plugins = useQuery(q('GET /api/plugins'))
  const store = useQuery(q('GET /api/plugins/store'))
  const host = useQuery(q('GET /api/plugins/host'))
  const [origin, setOrigin] = useState<PluginOrigin>()
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <PackageButton
          label={t.uploadPackage}
          missing={missing}
          onPackage={(base64) => setOrigin({ source: 'upload', package: base64 })}
        />
      }
    >
      <Column>
        {host.data && host.data.obstacle !== null ? (
          <Note tone="err" title={t.noSandbox}>
            {host.data.obstacle}
          </Note>
        ) : null}
        <Card title={t.installed} flush>
          <Loaded query={plugins} lines={3}>
            {({ items }) => <InstalledTable plugins={items} />}
          </Loaded>
        </Card>
        <Card title={t.available} flush>
          <Loaded query={store} lines={3}>
            {({ items, registry }) => (
              <>
                {registry.failure === null ? null : (
                  <Note tone="warn" title={t.registryFailed}>
                    {registry.failure}
                  </Note>
                )}
                <StoreTable
                  entries={items.filter(({ installedVersion }) => installedVersion === null)}
                  missing={missing}
                  onInstall={({ source, id }) => setOrigin({ source, id })}
                />
              </>
            )}
          </Loaded>
        </Card>
      </Column>
      <InstallDialog origin={origin} onClose={() => setOrigin(undefined)} />
    </Page>
  )
}
