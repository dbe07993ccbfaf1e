import { useRouter } from '@tanstack/react-router'
import type { Panel } from './compose-panel.ts'

/** The composed folders of pages. */
export const usePanel = (): Panel => useRouter().options.context.panel
