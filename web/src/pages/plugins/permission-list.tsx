import type { PluginPermissionWords } from '@lodge/shared/plugins/plugin.ts'
import { said } from '../../panel/said.ts'
import { Text } from '../../ui/page/layout.tsx'
import styles from './plugins.module.css'
import { t } from './words.ts'

/** Permissions in words. */
export function PermissionList({ permissions }: { permissions: readonly PluginPermissionWords[] }) {
  if (permissions.length === 0) return <Text muted>{t.noPermissions}</Text>
  return (
    <ul className={styles.permissions}>
      {permissions.map(({ id, words }) => (
        <li key={id}>{said(words)}</li>
      ))}
    </ul>
  )
}
