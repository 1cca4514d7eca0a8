extension HTMLPage {
    /// What differs from one kind of page to another.
    struct Kind {
        let body: String
        let script: String
    }

    /// A page that shows the data.
    init(_ kind: Kind, title: String, data: JSON) {
        text = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
            script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <link rel="icon" href="data:,">
            <title>\(title.escapedForHTML)</title>
            <style>
            \(PageStyle.text)
            </style>
            </head>
            <body>
            <header>
            <h1>\(title.escapedForHTML)</h1>
            <p id="summary"></p>
            <noscript><p>This page draws what it shows with a script.</p></noscript>
            </header>
            \(kind.body)
            <script type="application/json" id="data">\(data.written)</script>
            <script type="module">
            \(PageScript.common)
            \(kind.script)
            </script>
            </body>
            </html>

            """
    }
}
