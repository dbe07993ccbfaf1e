import { createRoute } from '@tanstack/react-router'
import UserCog from 'lucide-react/icons/user-cog'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { names } from './names.ts'
import { teamSearch } from './team-search.ts'

const team = createRoute({
  getParentRoute: () => inside,
  path: paths.team,
  validateSearch: teamSearch,
  component: page(() => import('./team-page.tsx')),
})
const transfer = createRoute({
  getParentRoute: () => inside,
  path: paths.transfer,
  component: page(() => import('./transfer-page.tsx')),
})

export default definePages({
  routes: {
    inside: [team, transfer],
  },
  navigation: () => [
    {
      to: paths.team,
      label: names.team,
      icon: UserCog,
      group: 'people',
      needs: 'team.view',
      help: 'team',
    },
  ],
  actions: () => [
    {
      to: paths.team,
      group: 'create',
      label: names.invite,
      keywords: names.inviteKeywords,
      needs: 'team.manage',
    },
  ],
})
