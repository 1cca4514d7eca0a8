// A test validates, and looks at the program's injected properties, without a further import.
@_exported import DepinInspection
