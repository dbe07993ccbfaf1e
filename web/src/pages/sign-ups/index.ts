import { createRoute } from '@tanstack/react-router'
import Ticket from 'lucide-react/icons/ticket'
import UserCheck from 'lucide-react/icons/user-check'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { invitesSearch } from './invites-search.ts'
import { names } from './names.ts'
import { pendingSearch } from './pending-search.ts'

const pending = createRoute({
  getParentRoute: () => inside,
  path: paths.pending,
  validateSearch: pendingSearch,
  component: page(() => import('./pending-page.tsx')),
})
const invites = createRoute({
  getParentRoute: () => inside,
  path: paths.invites,
  validateSearch: invitesSearch,
  component: page(() => import('./invites-page.tsx')),
})

export default definePages({
  routes: {
    inside: [pending, invites],
  },
  navigation: () => [
    {
      to: paths.pending,
      label: names.pending,
      icon: UserCheck,
      group: 'people',
      needs: 'customers.approve',
      help: 'customers',
    },
    {
      to: paths.invites,
      label: names.invitations,
      icon: Ticket,
      group: 'people',
      needs: 'signup.manage',
      help: 'customers',
    },
  ],
  actions: () => [
    {
      to: paths.invites,
      group: 'create',
      label: names.newInvitation,
      keywords: names.newInvitationKeywords,
      needs: 'signup.manage',
    },
  ],
})
