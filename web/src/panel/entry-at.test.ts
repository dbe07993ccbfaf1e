import { expect, test } from 'vitest'
import { pages } from '../pages/index.ts'
import { composePanel } from './compose-panel.ts'
import { entryAt, helpAt } from './entry-at.ts'

const panel = composePanel(pages)

test.each([
  ['/servers', 'Servers'],
  ['/servers/1/console', 'Servers'],
  ['/admin', 'Overview'],
  ['/admin/nodes/new', 'Nodes'],
  ['/admin/settings/mail', 'Settings'],
  ['/admin/nothing-here', undefined],
])('%s belongs to %s', (path, label) => {
  expect(entryAt(panel.navigation, path)?.label).toBe(label)
})

test.each([
  ['/servers/1/console', 'console'],
  ['/servers/1', 'servers'],
  ['/servers/new', 'servers'],
  ['/admin/nodes/1', 'nodes'],
  ['/account', 'account'],
  ['/account/keys', 'sftp'],
  ['/account/notifications', 'notifications'],
  ['/admin/nothing-here', undefined],
])('%s is explained by %s', (path, help) => {
  expect(helpAt(panel, path)).toBe(help)
})
