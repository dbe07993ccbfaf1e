import type { AdminBranding, Branding, BrandingReport } from '@lodge/shared/branding.ts'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect } from 'react'
import { api } from '../../api.ts'
import { styleNonce } from '../../nonce.ts'

/** Colours and corners of a draft, over those of the page. */
function styleOf({ colours }: BrandingReport, radius: number): string {
  const rule = (scheme: 'light' | 'dark') =>
    `:root:root:root[data-mantine-color-scheme='${scheme}']{${Object.entries(colours[scheme])
      .map(([name, value]) => `--l-${name}:${value}`)
      .join(';')}}`
  const radii = [4, 6, 8, 12].map((px, at) => `--l-r-${at + 1}:${Math.round((px * radius) / 12)}px`)
  return `${rule('light')}${rule('dark')}:root:root:root{${radii.join(';')}}`
}

/**
 * Has a draft checked, and applies its colours and corners to this page while it is open.
 * @returns the latest report; that of the saved look until then, and while a field is incomplete
 */
export function usePreview(draft: Branding, saved: AdminBranding): BrandingReport {
  const { colors, radius } = useDeferredValue(draft)
  const checked = useQuery({
    queryKey: ['branding-draft', colors],
    queryFn: () =>
      api('POST /api/branding/validate', { body: { branding: { ...saved.branding, colors } } }),
    enabled: Object.values(colors).every((colour) => /^#[0-9a-f]{6}$/i.test(colour)),
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const report = checked.data ?? saved.report
  useEffect(() => {
    const style = document.createElement('style')
    style.nonce = styleNonce ?? ''
    style.textContent = styleOf(report, radius)
    document.head.append(style)
    return () => style.remove()
  }, [report, radius])
  return report
}
