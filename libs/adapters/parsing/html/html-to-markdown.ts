import { openFragment, openHtml } from './dom'
import { markdownOf } from './walk'

/** Markdown of a piece of HTML: all of it that is seen, headings, lists, code and tables as such. */
export const htmlToMarkdown = (html: string): string =>
  markdownOf(/<(?:html|body|head)(?=[\s>])/i.test(html) ? openHtml(html).body : openFragment(html))
