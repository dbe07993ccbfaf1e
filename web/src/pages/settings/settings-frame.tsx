import { Outlet, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/session.ts'
import { Page } from '../../ui/page/page.tsx'
import { Tab, TabBar } from '../../ui/page/tabs.tsx'
import { FindSetting } from './find-setting.tsx'
import { areasOf } from './setting-search.ts'
import { SettingTarget } from './setting-target.ts'
import { SETTINGS_GROUPS } from './settings-groups.ts'
import { t } from './words.ts'

/** The settings of the installation; each area takes effect when saved. */
export default function SettingsFrame() {
  const may = useMay()
  const navigate = useNavigate()
  const [wanted, setWanted] = useState<string>()
  const reached = useCallback(() => setWanted(undefined), [])
  const target = useMemo(() => ({ wanted, reached }), [wanted, reached])
  const groups = SETTINGS_GROUPS.filter((group) => may(group.may))
  return (
    <Page
      title={t.settings}
      actions={
        <FindSetting
          groups={groups}
          onFound={({ path, field }) => {
            setWanted(field)
            void navigate({ to: path, resetScroll: field === undefined })
          }}
        />
      }
    >
      <TabBar label={t.areas}>
        {areasOf(groups).map(({ area, path }) => (
          <Tab key={path} to={path} activeOptions={{ exact: path === paths.settings }}>
            {area()}
          </Tab>
        ))}
      </TabBar>
      <SettingTarget value={target}>
        <Outlet />
      </SettingTarget>
    </Page>
  )
}
