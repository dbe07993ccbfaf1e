import { createRoute } from '@tanstack/react-router'
import ToyBrick from 'lucide-react/icons/toy-brick'
import { definePages } from '../../../panel/define-pages.ts'
import { page } from '../../../panel/page.ts'
import { inside, oneServer } from '../../../routes/frames.ts'

const toys = createRoute({
  getParentRoute: () => inside,
  path: '/admin/toys',
  component: page(() => import('./toy-page.tsx')),
})
const serverToys = createRoute({
  getParentRoute: () => oneServer,
  path: 'toys',
  component: page(() => import('./toy-page.tsx')),
})

/** A folder as a developer would add it: no other file of the panel refers to it. */
export default definePages({
  routes: { inside: [toys], server: [serverToys] },
  navigation: [{ to: '/admin/toys', label: 'Toys', icon: ToyBrick, group: 'catalogue' }],
  serverTabs: [{ to: '/servers/$id/toys', label: 'Toys', section: 'run' }],
  actions: [{ to: '/admin/toys', group: 'create', label: 'New toy', needs: 'templates.manage' }],
  find: async () => ({
    default: async (_client, text) => [
      { id: 'toy', group: 'Toys', label: text, to: '/admin/toys', params: {} },
    ],
  }),
  patches: {
    toy: (client, toy: { readonly id: string }) => client.setQueryData(['toys', toy.id], toy),
  },
})
