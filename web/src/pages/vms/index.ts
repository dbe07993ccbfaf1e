import { createRoute } from '@tanstack/react-router'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { alone, oneServer } from '../../routes/frames.ts'
import { names } from './names.ts'

const screenWindow = createRoute({
  getParentRoute: () => alone,
  path: paths.screenWindow,
  component: page(() => import('./console/screen-window.tsx')),
})
const serverScreen = createRoute({
  getParentRoute: () => oneServer,
  path: 'screen',
  component: page(() => import('./console/screen-tab.tsx')),
})
const serverSerial = createRoute({
  getParentRoute: () => oneServer,
  path: 'serial',
  component: page(() => import('./console/serial-tab.tsx')),
})
const serverHardware = createRoute({
  getParentRoute: () => oneServer,
  path: 'hardware',
  component: page(() => import('./hardware/hardware-tab.tsx')),
})
const serverSnapshots = createRoute({
  getParentRoute: () => oneServer,
  path: 'snapshots',
  component: page(() => import('./snapshots-tab.tsx')),
})
const serverMove = createRoute({
  getParentRoute: () => oneServer,
  path: 'move',
  component: page(() => import('./move-tab.tsx')),
})

/** Tabs for virtual machines, and the one in which a server of either kind moves. */
export default definePages({
  routes: {
    alone: [screenWindow],
    server: [serverScreen, serverSerial, serverHardware, serverSnapshots, serverMove],
  },
  serverTabs: () => [
    {
      to: paths.serverScreen,
      label: names.screen,
      section: 'use',
      kind: 'vm',
      help: 'virtual-machines',
    },
    {
      to: paths.serverSerial,
      label: names.serial,
      section: 'use',
      kind: 'vm',
      help: 'virtual-machines',
    },
    {
      to: paths.serverHardware,
      label: names.hardware,
      section: 'use',
      kind: 'vm',
      help: 'virtual-machines',
    },
    {
      to: paths.serverSnapshots,
      label: names.snapshots,
      section: 'use',
      kind: 'vm',
      help: 'virtual-machines',
    },
    {
      to: paths.serverMove,
      label: names.move,
      section: 'run',
      help: 'servers',
    },
  ],
})
