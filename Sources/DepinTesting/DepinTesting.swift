@_exported import Depin
