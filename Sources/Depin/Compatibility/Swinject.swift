/// Lets older code qualify names with the module `Swinject`, as in `Swinject.Container`.
public enum Swinject {
    /// Stands for ``Container``.
    public typealias Container = Depin.Container
    /// Stands for ``Resolver``.
    public typealias Resolver = Depin.Resolver
    /// Stands for ``Assembler``.
    public typealias Assembler = Depin.Assembler
    /// Stands for ``Assembly``.
    public typealias Assembly = Depin.Assembly
    /// Stands for ``ServiceEntry``.
    public typealias ServiceEntry = Depin.ServiceEntry
    /// Stands for ``ObjectScope``.
    public typealias ObjectScope = Depin.ObjectScope
    /// Stands for ``ObjectScopeProtocol``.
    public typealias ObjectScopeProtocol = Depin.ObjectScopeProtocol
    /// Stands for ``InstanceStorage``.
    public typealias InstanceStorage = Depin.InstanceStorage
    /// Stands for ``GraphStorage``.
    public typealias GraphStorage = Depin.GraphStorage
    /// Stands for ``PermanentStorage``.
    public typealias PermanentStorage = Depin.PermanentStorage
    /// Stands for ``TransientStorage``.
    public typealias TransientStorage = Depin.TransientStorage
    /// Stands for ``WeakStorage``.
    public typealias WeakStorage = Depin.WeakStorage
    /// Stands for ``CompositeStorage``.
    public typealias CompositeStorage = Depin.CompositeStorage
    /// Stands for ``GraphIdentifier``.
    public typealias GraphIdentifier = Depin.GraphIdentifier
    /// Stands for ``Behavior``.
    public typealias Behavior = Depin.Behavior
    /// Stands for ``Lazy``.
    public typealias Lazy = Depin.Lazy
    /// Stands for ``Provider``.
    public typealias Provider = Depin.Provider
}
