import { Unfit } from '@plumbline/ports/document-parser'
import { describe, expect, it } from 'vitest'
import { htmlToMarkdown } from './html-to-markdown'

const refused = (html: string): string => {
  try {
    htmlToMarkdown(html)
    return 'read'
  } catch (error) {
    return error instanceof Unfit ? error.reason : 'fault'
  }
}

describe('htmlToMarkdown: text', () => {
  it('writes headings, paragraphs, line breaks and entities', () =>
    expect(htmlToMarkdown('<h1>A &amp; B</h1><p>one\n two<br>three&nbsp;four</p>five<h3><a href="#x">C</a></h3>')).toBe(
      '# A & B\n\none two\nthree four\n\nfive\n\n### C',
    ))

  it('marks emphasis and code close to the words, and cuts no word in two', () => {
    expect(
      htmlToMarkdown(
        '<p>a <b>bold </b>and <strong><b>both</b></strong>, <i>i</i>, <code>x()</code>y, <del>gone</del></p>',
      ),
    ).toBe('a **bold** and **both**, *i*, `x()`y, ~~gone~~')
    expect(htmlToMarkdown('<p><b>H</b>ello, un<i>believ</i>able</p>')).toBe('Hello, unbelievable')
  })

  it('keeps a raised number apart from the number before it', () =>
    expect(
      htmlToMarkdown(
        '<p>10<sup>24</sup> kg, 5 m<sup>2</sup>, 12.5<sup><a href="#n">1</a></sup>, H<sub>2</sub>O, 1<sup>st</sup></p>',
      ),
    ).toBe('10^24 kg, 5 m^2, 12.5^1, H2O, 1st'))

  it('reads links as their text, images as their description, formulas as written', () =>
    expect(
      htmlToMarkdown(
        '<p><a href="https://example.org">here</a><img src="a.png" alt="A chart"><img src="b.png"> <math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></p>',
      ),
    ).toBe('here A chart x^2'))

  it('keeps powers and fractions of formulas apart', () => {
    const power = '<msup><mn>10</mn><mn>24</mn></msup>'
    expect(
      htmlToMarkdown(
        `<p><math><mi>m</mi><mo>=</mo><mn>6</mn><mo>·</mo>${power}</math> <math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac></math></p>`,
      ),
    ).toBe('m=6·10^24 (a+1)/2')
    const sum = '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>'
    expect(
      htmlToMarkdown(
        `<math>${sum}<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup></math> <math><msqrt><mn>2</mn></msqrt><mroot><mn>8</mn><mn>3</mn></mroot></math>`,
      ),
    ).toBe('∑_(i=1)^nx_i^2 √(2)8^(1/3)')
    expect(
      htmlToMarkdown(
        '<math><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable></math>',
      ),
    ).toBe('1 2; 3 4')
  })

  it('leaves out what is not seen', () =>
    expect(
      htmlToMarkdown(
        '<style>p{}</style><script>alert(1)</script><p hidden>no</p><p style="color:red;display:none">no</p><span aria-hidden="true">no</span><template>no</template><p>so\u00adft\u200b</p>',
      ),
    ).toBe('soft'))

  it('keeps text from being read as marks', () => {
    expect(htmlToMarkdown('<p># no heading</p><p>&lt;table&gt; is a tag</p><p>| a | b |</p>')).toBe(
      '\\# no heading\n\n\\<table> is a tag\n\n\\| a | b |',
    )
    expect(htmlToMarkdown('<p>a<br>=<br>b</p><p>Yours<br>--</p>')).toBe('a\n\\=\nb\n\nYours\n\\--')
    expect(htmlToMarkdown('<h2><code>__init__</code> of `x`</h2>')).toBe('## \\_\\_init\\_\\_ of \\`x\\`')
  })
})

describe('htmlToMarkdown: lists', () => {
  it('nests them, counts from where they start, and keeps what follows in an item under it', () =>
    expect(
      htmlToMarkdown(
        '<ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>more</p></li></ul><ol start="3"><li>x</li><li value="7">y</li></ol>',
      ),
    ).toBe('- a\n    - b\n- c\n  more\n3. x\n7. y'))
  it('writes terms with their descriptions', () =>
    expect(htmlToMarkdown('<dl><dt>Milk</dt><dd>white</dd><dd>cold</dd><div><dt>Tea</dt><dd>hot</dd></div></dl>')).toBe(
      '- **Milk**\n    - white\n    - cold\n- **Tea**\n    - hot',
    ))
})

describe('htmlToMarkdown: code', () => {
  it('keeps white space and lines, with the declared language', () => {
    expect(htmlToMarkdown('<pre><code class="language-py">\ndef f():\n    return 1 &lt; 2\n</code></pre>')).toBe(
      '```py\ndef f():\n    return 1 < 2\n```',
    )
    expect(htmlToMarkdown('<div class="highlight-source-shell"><pre>a<br>b</pre></div>')).toBe('```shell\na\nb\n```')
    expect(htmlToMarkdown('<pre>```\nx\n```</pre>')).toBe('````\n```\nx\n```\n````')
  })
})

describe('htmlToMarkdown: tables', () => {
  const rows = (html: string): string[] => htmlToMarkdown(html).split('\n')

  it('writes header, rows, and the caption above', () =>
    expect(
      rows(
        '<table><tbody><tr><td>a<br>b</td><td>x | y</td></tr></tbody><thead><tr><th>H</th><th>I</th></tr></thead><caption>Rates</caption></table>',
      ),
    ).toEqual(['Rates', '', '| H | I |', '| --- | --- |', '| a b | x \\| y |']))

  it('repeats merged cells in every row and column they cover', () =>
    expect(
      rows(
        '<table><tr><th>Y</th><th>Q</th><th>V</th></tr><tr><td rowspan="2">2024</td><td>1</td><td>5</td></tr><tr><td colspan="2">none</td></tr></table>',
      ),
    ).toEqual(['| Y | Q | V |', '| --- | --- | --- |', '| 2024 | 1 | 5 |', '| 2024 | none | none |']))

  it('gives no column to a cell that reaches further than the table', () => {
    const reaching = (span: string): string[] =>
      rows(
        `<table><tr><th>A</th><th>B</th></tr><tr><td colspan="${span}">note</td></tr><tr><td>1</td><td>2</td></tr></table>`,
      )
    expect(reaching('100%')).toEqual(['| A | B |', '| --- | --- |', '| note | note |', '| 1 | 2 |'])
    expect(reaching('100%')).toEqual(reaching('2'))
    expect(
      rows('<table><tr><th colspan="2">A</th><th>B</th></tr><tr><td colspan="2">1</td><td>2</td></tr></table>'),
    ).toEqual(['| A | B |', '| --- | --- |', '| 1 | 2 |'])
    expect(
      rows('<table><tr><th colspan="2">A</th><th>B</th></tr><tr><td>1</td><td></td><td>2</td></tr></table>')[0],
    ).toBe('| A | B |')
  })

  it('joins header rows that belong together, and takes a title over all columns for the caption', () => {
    const head = '<tr><th rowspan="2">Region</th><th colspan="2">CFE</th></tr><tr><th>2023</th><th>2024</th></tr>'
    const joined = ['| Region | CFE 2023 | CFE 2024 |', '| --- | --- | --- |', '| Oslo | 1% | 2% |']
    const body = '<tr><td>Oslo</td><td>1%</td><td>2%</td></tr>'
    expect(rows(`<table><thead>${head}</thead><tbody>${body}</tbody></table>`)).toEqual(joined)
    expect(rows(`<table>${head}${body}</table>`)).toEqual(joined)
    expect(rows(`<table><tr><th colspan="3">Carbon</th></tr>${head}${body}</table>`)).toEqual(['Carbon', '', ...joined])
  })

  it('keeps a line of header cells within the body in the body', () =>
    expect(
      rows(
        '<table><tr><th>A</th><th>B</th></tr><tr><th colspan="2">Asia</th></tr><tr><td>1</td><td>2</td></tr></table>',
      ),
    ).toEqual(['| A | B |', '| --- | --- |', '| Asia | Asia |', '| 1 | 2 |']))

  it('leaves out a row that only opens cells of the next', () =>
    expect(
      rows(
        '<table><tr><th>Y</th><th>V</th></tr><tr><th rowspan="3">2025</th></tr><tr><td>1</td></tr><tr><td>2</td></tr></table>',
      ).slice(2),
    ).toEqual(['| 2025 | 1 |', '| 2025 | 2 |']))

  it('writes lists and tables within a cell into its line', () =>
    expect(
      rows(
        '<table><tr><td>A</td><td>B</td></tr><tr><td>x<ul><li>1</li><li>2</li></ul></td><td><table><tr><td>p</td><td>q</td></tr></table></td></tr></table>',
      ).at(-1),
    ).toBe('| x - 1 - 2 | p q |'))

  it('takes a table that only places things for what it places', () => {
    expect(htmlToMarkdown('<table role="presentation"><tr><td>a</td><td>b</td></tr></table>')).toBe('a\n\nb')
    const long = 'one '.repeat(40).trim()
    expect(htmlToMarkdown(`<table><tr><td><h2>T</h2><p>${long}</p></td><td>two</td></tr></table>`)).toBe(
      `## T\n\n${long}\n\ntwo`,
    )
    expect(htmlToMarkdown('<table><tr><td><h3>A</h3></td><td>B</td></tr><tr><td>1</td><td>2</td></tr></table>')).toBe(
      '| A | B |\n| --- | --- |\n| 1 | 2 |',
    )
    expect(htmlToMarkdown('<table><tr><td>boxed</td></tr></table>')).toBe('boxed')
    const inner = '<table><tr><th>Year</th><th>Sales</th></tr><tr><td>2001</td><td>5</td></tr></table>'
    const page = `<table><tr><td colspan="2"><h1>Firm</h1></td></tr><tr><td>News</td><td><p>Text.</p>${inner}</td></tr></table>`
    expect(htmlToMarkdown(page)).toBe('# Firm\n\nNews\n\nText.\n\n| Year | Sales |\n| --- | --- |\n| 2001 | 5 |')
  })

  it('puts a figure’s caption over its table', () =>
    expect(
      rows(
        '<figure><table><tr><th>A</th></tr><tr><td>1</td></tr></table><figcaption>Table 2. B</figcaption></figure>',
      )[0],
    ).toBe('Table 2. B'))
})

describe('htmlToMarkdown: money', () => {
  it('has a sign, its figure and what closes it in one cell, and no columns that only make room', () => {
    const line = (label: string, ...cells: string[]) =>
      `<tr><td>${label}</td><td>&nbsp;</td>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
    const html = `<table><tr><td></td><td></td><td colspan=3>2023</td><td></td><td colspan=3>2022</td></tr>${line('Revenue', '$', '1,234', '', '', '$', '(987', ')')}${line('Costs', '', '500', '', '', '', '(400', ')')}<tr><td>Margin</td><td></td><td colspan=2>12</td><td>%</td><td></td><td colspan=2>13</td><td>%</td></tr></table>`
    expect(htmlToMarkdown(html)).toBe(
      '|  | 2023 | 2022 |\n| --- | --- | --- |\n| Revenue | $1,234 | $(987) |\n| Costs | 500 | (400) |\n| Margin | 12% | 13% |',
    )
  })

  it('leaves signs in a column of their own that says more', () => {
    const html =
      '<table><tr><th>Coin</th><th>Sign</th></tr><tr><td>Dollar</td><td>$</td></tr><tr><td>Euro</td><td>€</td></tr></table>'
    expect(htmlToMarkdown(html)).toContain('| Dollar | $ |')
  })
})

describe('htmlToMarkdown: bombs', () => {
  it.each([
    ['elements nested without end', '<div>'.repeat(50_000)],
    ['lists nested without end', '<ul><li>'.repeat(1_500)],
    ['marks that are never closed', Array.from({ length: 2_000 }, (_, at) => `<font size="${at}"><p>x`).join('')],
    ['more elements than a document has', '<br>'.repeat(600_000)],
    [
      'cells merged over millions',
      `<table>${'<tr><td colspan="1000" rowspan="60000">aaaa</td></tr>'.repeat(3_000)}</table>`,
    ],
  ])('refuses %s', (_, html) => expect(refused(html)).toBe('bomb'))

  it('reads what is merely large or broken', () => {
    const anchors = htmlToMarkdown(Array.from({ length: 2_500 }, (_, at) => `<p><a name="n${at}">text ${at}`).join(''))
    expect(anchors.split('\n\n')).toHaveLength(2_500)
    expect(htmlToMarkdown(`<b>x${'<br>'.repeat(50_000)}y</b>`)).toBe('x\ny')
    expect(htmlToMarkdown('<'.repeat(10_000))).toHaveLength(10_000)
    expect(htmlToMarkdown(`${'<div>'.repeat(200)}deep`)).toBe('deep')
    expect(htmlToMarkdown('<p>a<p>b</i></table>c')).toBe('a\n\nbc')
  })
})
