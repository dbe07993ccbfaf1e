import type { Branding } from '@lodge/shared/branding.ts'
import type { Scheme } from '@lodge/shared/theme/tokens.ts'
import { coloursOf } from '../../branding/index.ts'

const USED =
  /^(bg|surface|fill|fill-2|line|line-strong|line-control|text|text-2|text-3|link|focus|accent(-hover|-fg)?|(ok|warn|err|info|idle)(-soft|-fg|-line)?)$/

/** The colours of the panel's look in one mode, as far as the page uses them. */
function colours(look: Branding, scheme: Scheme): string {
  const values = Object.entries(coloursOf(look)[scheme]).filter(([name]) => USED.test(name))
  return `color-scheme:${scheme};${values.map(([name, value]) => `--${name}:${value}`).join(';')}`
}

/** The style sheet of the public page in the panel's look. */
export function styleOf(look: Branding): string {
  const { mode, radius } = look
  const schemes =
    mode === 'system'
      ? `:root{${colours(look, 'light')}}@media (prefers-color-scheme:dark){:root{${colours(look, 'dark')}}}`
      : `:root{${colours(look, mode)}}`
  return `${schemes}:root{--r:${radius}px;--r-small:${Math.round(radius / 2)}px}${RULES}`
}

const RULES = `
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.55 Geist,'Geist Fallback',system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link);text-underline-offset:2px}
a:focus-visible,button:focus-visible,input:focus-visible,summary:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}
header,main,footer{max-width:880px;margin:0 auto;padding:0 20px}
header{display:flex;align-items:center;justify-content:space-between;gap:16px;padding-top:20px;padding-bottom:20px}
header a{display:inline-flex;align-items:center;gap:10px;min-height:28px;color:var(--text);font-weight:600;text-decoration:none}
header a.panel{font-weight:500;color:var(--text-2);white-space:nowrap}
header img{height:28px;width:auto;display:block}
h1{font-size:26px;line-height:1.2;letter-spacing:-.02em;margin:20px 0 6px}
h2{font-size:17px;line-height:1.3;margin:40px 0 12px}
h3{font-size:15px;line-height:1.4;margin:0}
p{margin:0 0 10px}
.intro{color:var(--text-2);max-width:68ch;white-space:pre-line}
.whole{display:flex;align-items:center;gap:12px;margin:20px 0 0;padding:16px 18px;border-style:solid;border-width:1px;border-radius:var(--r);font-size:17px;font-weight:600}
.whole small{margin-left:auto;font-size:13px;font-weight:400;text-align:right}
.whole svg{flex:none;width:22px;height:22px}
.card{background:var(--surface);border:1px solid var(--line);border-radius:var(--r)}
.ok{color:var(--ok-fg);background:var(--ok-soft);border-color:var(--ok-line)}
.warn{color:var(--warn-fg);background:var(--warn-soft);border-color:var(--warn-line)}
.err{color:var(--err-fg);background:var(--err-soft);border-color:var(--err-line)}
.info{color:var(--info-fg);background:var(--info-soft);border-color:var(--info-line)}
.idle{color:var(--idle-fg);background:var(--idle-soft);border-color:var(--idle-line)}
.note{margin:16px 0 0;padding:12px 16px;border:1px solid;border-radius:var(--r);font-size:14px}
ul.plain{list-style:none;margin:0;padding:0}
.part{padding:16px 18px}
.part+.part{border-top:1px solid var(--line)}
.head{display:flex;flex-wrap:wrap;align-items:baseline;gap:4px 12px}
.head .pill{margin-left:auto}
.quiet{color:var(--text-2);font-size:13px}
.pill{display:inline-flex;align-items:center;gap:6px;padding:1px 9px 1px 7px;border-style:solid;border-width:1px;border-radius:99px;font-size:13px;font-weight:500;white-space:nowrap}
.pill svg{width:14px;height:14px}
.bars{display:block;width:100%;height:32px;margin:12px 0 6px}
.bars .u{fill:var(--fill-2)}.bars .operational{fill:var(--ok)}.bars .degraded,.bars .partial{fill:var(--warn)}
.bars .outage{fill:var(--err)}.bars .maintenance{fill:var(--info)}
.scale{display:flex;justify-content:space-between;gap:12px;color:var(--text-2);font-size:13px}
details{margin-top:8px}
summary{display:inline-block;cursor:pointer;color:var(--link);font-size:13px;min-height:24px;line-height:24px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;font-size:13px;margin-top:6px}
th,td{text-align:left;padding:5px 16px 5px 0;border-bottom:1px solid var(--line);white-space:nowrap;font-weight:400}
th{color:var(--text-2)}
.legend{display:flex;flex-wrap:wrap;gap:6px 18px;margin:14px 2px 0;font-size:13px;color:var(--text-2)}
.legend span{display:inline-flex;align-items:center;gap:7px}
.legend svg{width:10px;height:16px;flex:none}
.counted{max-width:68ch;font-size:14px;color:var(--text-2);margin:6px 0 0}
.entry{padding:18px;margin-bottom:12px}
.entry h3 a{color:inherit;display:inline-block;min-height:24px}
.entry .facts{display:flex;flex-wrap:wrap;gap:6px 12px;align-items:center;margin:8px 0 0;color:var(--text-2);font-size:13px}
.updates{list-style:none;margin:14px 0 0;padding:0}
.updates li{padding:10px 0 0 16px;border-left:2px solid var(--line)}
.updates strong{font-weight:600}
.updates p{white-space:pre-line;margin:2px 0 0;max-width:72ch}
.updates time{color:var(--text-2);font-size:13px}
form{display:flex;flex-wrap:wrap;gap:10px;align-items:end;margin:0}
label{display:block;font-size:14px;font-weight:500;margin-bottom:5px}
form div{flex:1 1 240px}
input{width:100%;min-height:38px;padding:7px 11px;border:1px solid var(--line-control);border-radius:var(--r-small);background:var(--bg);color:var(--text);font:inherit}
button{min-height:38px;padding:7px 16px;border:0;border-radius:var(--r-small);background:var(--accent);color:var(--accent-fg);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--accent-hover)}
.news{padding:18px}
.news p{margin:12px 0 0}
.news a,footer a,.more a{display:inline-block;min-height:24px;line-height:24px}
.more{margin:12px 0 0}
.alone{padding:26px;margin-top:24px}
.alone form{margin-top:16px}
footer{margin-top:48px;padding-top:18px;padding-bottom:48px;border-top:1px solid var(--line);color:var(--text-2);font-size:13px}
footer a{margin-right:16px}
@media (max-width:520px){.whole{flex-wrap:wrap}.whole small{margin-left:34px;text-align:left;flex:1 0 60%}.bars{height:28px}header .name{max-width:52vw}}
`
