import { lazyRouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../api.ts'
import { loadPart } from '../load-code.ts'

/**
 * The component of a page, which loads with its words when it is opened. When an update has renamed its file, the
 * panel is reloaded; without a connection it stays and reports that, because a reload would lose it.
 */
export const page = (load: () => Promise<{ default: () => ReactNode }>) =>
  lazyRouteComponent(async () => {
    try {
      return await loadPart(load)
    } catch (error) {
      // Says so when nothing is reached. The router reloads the panel for the other error, once, when
      // the page would be shown.
      await api('GET /api/auth/status')
      throw error
    }
  })
