// Draws what a person who looks is shown, with the elements that every surface has. The words are those of packs/weight; nothing is
// asked of anyone here.

import type { BoxProps, ElementConstructor, RenderElement, TextProps } from 'claude-code'

export type Table = { readonly Box: ElementConstructor<BoxProps>; readonly Text: ElementConstructor<TextProps> }

/** Lines that belong together: sentences, or under a title a table or a chart. */
export type Section = { readonly title: string | null; readonly lines: readonly string[] }

/** One dim row. */
export function bandOf({ Box, Text }: Table, line: string): RenderElement {
  return Box({ children: [Text({ dimColor: true, wrap: 'truncate-end', children: [line] })] })
}

/** The sections below each other; a row of a table stays one row, whatever the width. */
export function paneOf({ Box, Text }: Table, sections: readonly Section[]): RenderElement {
  const row = (line: string) => Text({ mono: true, wrap: 'truncate-end', children: [line] })
  const drawn = sections.map(({ title, lines }) =>
    title === null
      ? Box({ flexDirection: 'column', children: lines.map(line => Text({ children: [line] })) })
      : Box({ flexDirection: 'column', overflowX: 'scroll', children: [Text({ weight: 'semibold', children: [title] }), ...lines.map(row)] }),
  )
  return Box({ flexDirection: 'column', gap: 1, children: drawn })
}

/** The status line with ours under it, where it does not show it already. What is changed is cut to `maxRows`, so a full one stays as it is. */
export function statusOf(text: string | null, line: string | undefined, maxRows: number): string | null {
  if (!line || showsLine(text, line)) return text
  const both = text ? `${text.replace(/\n+$/, '')}\n${line}` : line
  return both.split('\n').length > maxRows ? text : both
}

/** True where a status line shows ours, whoever put it there and with whatever figures: they stand behind the first dot. */
export function showsLine(text: string | null | undefined, line: string | undefined): boolean {
  return !!text && !!line && text.includes(line.slice(0, line.indexOf('·') + 1))
}
