// A test validates, and looks at the injected properties of the program, without a further import.
@_exported import DepinInspection
