import { useRouter } from '@tanstack/react-router'
import type { Panel } from './compose-panel.ts'

/** What the folders of pages add up to. */
export const usePanel = (): Panel => useRouter().options.context.panel
