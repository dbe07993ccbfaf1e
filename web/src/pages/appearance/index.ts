import { createRoute } from '@tanstack/react-router'
import Palette from 'lucide-react/icons/palette'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { askForAnnouncement } from '../../session/announced.ts'
import { names } from './names.ts'

const appearance = createRoute({
  getParentRoute: () => inside,
  path: paths.appearance,
  component: page(() => import('./appearance-page.tsx')),
})

export default definePages({
  routes: { inside: [appearance] },
  // After a gap in the stream an event may have been missed.
  patches: { announcement: askForAnnouncement, reset: askForAnnouncement },
  navigation: () => [
    {
      to: paths.appearance,
      label: names.appearance,
      icon: Palette,
      group: 'system',
      needs: 'branding.manage',
      help: 'appearance',
    },
  ],
})
