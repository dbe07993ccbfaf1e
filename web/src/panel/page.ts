import { lazyRouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../api.ts'
import { loadPart } from '../load-code.ts'

/**
 * The component of a page, which is loaded with its texts when it is opened. If an update has renamed
 * its file, the panel is reloaded; without a connection it stays and reports that, because a reload
 * would lose it.
 */
export const page = (load: () => Promise<{ default: () => ReactNode }>) =>
  lazyRouteComponent(async () => {
    try {
      return await loadPart(load)
    } catch (error) {
      // Throws if the server cannot be reached. For any other error the router reloads the panel,
      // once.
      await api('GET /api/auth/status')
      throw error
    }
  })
