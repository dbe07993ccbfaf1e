import sanitize from 'sanitize-html'
import { Problem } from '../../problem.ts'

const SHAPES = [
  ...['svg', 'g', 'defs', 'title', 'desc', 'path', 'rect', 'circle', 'ellipse', 'line'],
  ...['polyline', 'polygon', 'linearGradient', 'radialGradient', 'stop', 'clipPath', 'mask'],
  ...['text', 'tspan'],
]
const LOOKS = [
  ...['id', 'viewBox', 'width', 'height', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx'],
  ...['ry', 'fx', 'fy', 'd', 'points', 'transform', 'gradientTransform', 'gradientUnits', 'offset'],
  ...['fill', 'fill-opacity', 'fill-rule', 'clip-rule', 'clip-path', 'mask', 'stroke', 'opacity'],
  ...['stroke-width', 'stroke-linecap', 'stroke-linejoin', 'stroke-opacity', 'stroke-dasharray'],
  ...['stop-color', 'stop-opacity', 'xmlns', 'preserveAspectRatio', 'clipPathUnits', 'maskUnits'],
  ...[
    'spreadMethod',
    'font-size',
    'font-weight',
    'font-family',
    'text-anchor',
    'stroke-miterlimit',
  ],
]
/** Elements that load external content, run scripts or expand. */
const ACTIVE =
  /<!DOCTYPE|<!ENTITY|<\?xml-stylesheet|<\s*(script|foreignObject|iframe|object|embed|audio|video|animate|set)\b|\son\w+\s*=|javascript:/i

/**
 * Reduces an SVG to shapes, gradients and texts without external references, to be rasterized.
 * @throws {Problem} `invalid_image` for an SVG with scripts or entities
 */
export function cleanSvg(text: string): string {
  if (ACTIVE.test(text))
    throw new Problem(
      'invalid_image',
      'The SVG contains programs, animations or entities: export it as a plain SVG or as PNG',
    )
  return sanitize(text, {
    allowedTags: SHAPES,
    allowedAttributes: { '*': LOOKS },
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
    exclusiveFilter: ({ attribs }) =>
      Object.values(attribs).some((value) => /url\(\s*['"]?(?!#)|expression\(/i.test(value)),
  })
}
